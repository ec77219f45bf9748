"""Writes twelve scripts, which are to be run when they are whole."""
import os

for number in range(12):
    path = f"scripts/{number}"
    script = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    os.write(script, b"#!/bin/sh\n")
    os.close(script)
    os.chmod(path, 0o755)
print("12 scripts")
