#!/usr/bin/env python3
"""Sums up the data sets found below sets/."""
import os


def warm_up(fd):
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_WILLNEED)
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_SEQUENTIAL)


def read_set(path):
    fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        total = 0
        for name in sorted(os.listdir(fd)):
            with open(os.path.join(path, name)) as f:
                total += int(f.read())
        return total
    finally:
        os.close(fd)


def main():
    total = 0
    for number in range(50):
        total += read_set("sets/%d" % number)
    print("sets 50, total", total)


main()
