#!/usr/bin/env python3
"""Shows what a queue of patches changes."""
import os


def read_patch(path):
    fd = os.open(path, os.O_RDONLY)
    try:
        size = os.fstat(fd).st_size
        pieces = []
        while size > 0:
            piece = os.read(fd, size)
            if not piece:
                break
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces).decode()
    finally:
        os.close(fd)


def main():
    added = removed = 0
    files = set()
    for number in range(100):
        for line in read_patch("patches/%d.diff" % number).splitlines():
            if line.startswith("+++ "):
                files.add(line[6:])
            elif line.startswith("--- "):
                continue
            elif line.startswith("+"):
                added += 1
            elif line.startswith("-"):
                removed += 1
    print("%d files, +%d -%d" % (len(files), added, removed))


main()
