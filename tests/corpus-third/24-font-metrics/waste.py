"""Widest glyph box among a set of font metrics."""
import contextlib
import mmap
import pathlib
import re

WIDTH = re.compile(rb"Width (\d+)")
HEIGHT = re.compile(rb"Height (\d+)")


def box(path):
    with open(path, "rb") as f:
        with contextlib.closing(mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ)) as m:
            return int(WIDTH.search(m)[1]), int(HEIGHT.search(m)[1])


boxes = [box(p) for p in sorted(pathlib.Path("metrics").iterdir())]
print(len(boxes), max(boxes), min(boxes))
