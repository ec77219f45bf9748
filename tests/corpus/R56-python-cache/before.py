"""Keeps its state in a file of a name that everybody knows, in a directory where everybody can write."""
import os

path = "/dev/shm/fathom-corpus-state"
with open(path, "w") as file:
    file.write("ready")
with open(path) as file:
    print("state:", file.read())
os.unlink(path)
