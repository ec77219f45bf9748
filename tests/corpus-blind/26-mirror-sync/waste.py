#!/usr/bin/env python3
"""Copies the images that a mirror lacks."""
import os


def copy(source, target):
    with open(source, "rb") as src, open(target, "wb") as dst:
        while True:
            piece = src.read(16384)
            if not piece:
                break
            dst.write(piece)


def main():
    os.makedirs("mirror")
    present = set(os.listdir("mirror"))
    copied = 0
    for name in sorted(os.listdir("master")):
        if name not in present:
            copy(os.path.join("master", name), os.path.join("mirror", name))
            copied += 1
    with os.scandir("mirror") as listing:
        size = sum(entry.stat().st_size for entry in listing)
    print("copied %d images, mirror has %d bytes" % (copied, size))


main()
