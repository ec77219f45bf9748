"""Finds what a crash left half written, writes it anew, and puts it in its place when it is whole."""
import json
import os

file = os.open("store.json.new", os.O_RDONLY)
left = len(os.read(file, 100))
os.close(file)
file = os.open("store.json.new", os.O_WRONLY | os.O_TRUNC)
os.write(file, json.dumps({"color": "red"}).encode())
os.fsync(file)
os.close(file)
os.rename("store.json.new", "store.json")
here = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
os.fsync(here)
os.close(here)
print(left, "bytes were left by a crash")
