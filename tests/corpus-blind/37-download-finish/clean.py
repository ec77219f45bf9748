#!/usr/bin/env python3
"""Fetches wallpapers (made up here) and puts finished ones into wallpapers/."""
import os
import shutil
import tempfile


def fetch(number, path):
    size = 0
    with open(path, "wb") as out:
        for piece in range(8):
            size += out.write(b"%08d" % (number * piece) * 512)
    return size


def main():
    os.mkdir("wallpapers")
    work = tempfile.mkdtemp(prefix=".fetch-", dir="wallpapers")
    total = 0
    try:
        for number in range(25):
            part = os.path.join(work, "%d.part" % number)
            total += fetch(number, part)
            shutil.move(part, os.path.join("wallpapers", "%d.jpg" % number))
    finally:
        shutil.rmtree(work)
    print("fetched %d files, %d bytes" % (len(os.listdir("wallpapers")), total))


main()
