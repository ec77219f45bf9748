"""Reads forty entries, and keeps what is in them."""
import os


def entry(path):
    descriptor = os.open(path, os.O_RDONLY)
    text = os.read(descriptor, 64)
    os.close(descriptor)
    return text


entries = [entry(f"data/{number}") for number in range(1, 41)]
print(sum(text.startswith(b"entry") for text in entries), "entries")
