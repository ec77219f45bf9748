"""Passes a file to a shell, which has another program read it."""
import os
import subprocess

log = os.open("log", os.O_RDONLY)
subprocess.run(["/bin/sh", "-c", f"/bin/cat <&{log} | /bin/cat"], pass_fds=[log], check=True)
