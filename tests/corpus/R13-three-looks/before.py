"""Adds up the lengths of twenty notes, of those that are there."""
import os

bytes = 0
for number in range(20):
    path = f"notes/{number}"
    if os.path.exists(path) and os.path.isfile(path) and os.path.getsize(path) > 0:
        note = os.open(path, os.O_RDONLY)
        bytes += len(os.read(note, 100))
        os.close(note)
print(bytes, "bytes")
