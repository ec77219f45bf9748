"""Counts lines of a file, a buffer at a time."""

import os

file, lines = os.open("lines", os.O_RDONLY), 0
while part := os.read(file, 65536):
    lines += part.count(b"\n")
os.close(file)
print(lines, "lines")
