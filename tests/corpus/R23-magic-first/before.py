"""Looks at the magic number, and then loads the file."""
import os


def read(path, size):
    file = os.open(path, os.O_RDONLY)
    text = os.read(file, size)
    os.close(file)
    return text


total = 0
for number in range(12):
    if read(f"record{number}", 4) == b"RECD":
        total += len(read(f"record{number}", 4096))
print("bytes", total)
