"""Imports the moves of a warehouse log line by line."""
import os
from collections import Counter


class Lines:
    def __init__(self, path):
        self.fd = os.open(path, os.O_RDONLY)

    def next(self):
        chunk = os.read(self.fd, 2048)
        if not chunk:
            return None
        line, newline, rest = chunk.partition(b"\n")
        if rest:
            os.lseek(self.fd, -len(rest), os.SEEK_CUR)
        return line


bays = Counter()
lines = Lines("import.log")
while (line := lines.next()) is not None:
    fields = line.split()
    if fields[1] == b"OK":
        bays[int(fields[-1])] += 1
print(sorted(bays.items()))
