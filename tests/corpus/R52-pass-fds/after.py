"""Keeps its log for itself."""
import os
import subprocess

log = os.open("log", os.O_RDONLY)
subprocess.run(["/bin/true"], check=True)
print(len(os.read(log, 100)))
