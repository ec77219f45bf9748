"""Counts lines of a file that was opened without a buffer."""

import os

file, lines = os.open("lines", os.O_RDONLY), 0
while byte := os.read(file, 1):
    lines += byte == b"\n"
os.close(file)
print(lines, "lines")
