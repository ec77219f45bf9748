"""Reads forty entries, and keeps the objects."""
import os


class Entry:
    def __init__(self, path):
        self.descriptor = os.open(path, os.O_RDONLY)
        self.text = os.read(self.descriptor, 64)

    def __del__(self):
        os.close(self.descriptor)


entries = [Entry(f"data/{number}") for number in range(1, 41)]
print(sum(entry.text.startswith(b"entry") for entry in entries), "entries")
