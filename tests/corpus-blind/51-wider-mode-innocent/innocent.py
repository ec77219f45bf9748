#!/usr/bin/env python3
"""Writes lists that the group may read, whatever the umask."""
import os


def create(path, mode):
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    os.fchmod(fd, mode)
    return os.fdopen(fd, "w")


def main():
    os.umask(0o077)
    for number in range(12):
        with create("share/list%d" % number, 0o640) as out:
            out.write("member %d\n" % number)
    modes = {os.stat("share/list%d" % n).st_mode & 0o777 for n in range(12)}
    print("lists 12, modes", " ".join("%o" % m for m in sorted(modes)))


main()
