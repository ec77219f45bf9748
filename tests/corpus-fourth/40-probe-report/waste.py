"""Reads the channels of a probe, each with a parser of its own."""
import os

fd = os.open("probe.raw", os.O_RDONLY)
levels = {}
for _ in range(35):
    channel = os.fdopen(os.dup(fd), "rb", buffering=0, closefd=False)
    name, level = channel.read(11).split()
    levels[name.decode()] = int(level)
os.close(fd)
print(len(levels), "channels, highest", max(levels, key=levels.get))
