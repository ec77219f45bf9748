"""Keeps its state in a file that no one else can have made."""
import os
import tempfile

with tempfile.NamedTemporaryFile("w+", dir="/dev/shm", prefix="fathom-corpus-") as file:
    file.write("ready")
    file.flush()
    with open(file.name) as again:
        print("state:", again.read())
