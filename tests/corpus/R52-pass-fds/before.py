"""Passes its log to a program that knows nothing of it."""
import os
import subprocess

log = os.open("log", os.O_RDONLY)
subprocess.run(["/bin/true"], pass_fds=[log], check=True)
print(len(os.read(log, 100)))
