#!/usr/bin/env python3
"""Adds up account books while no booking process may change them."""
import fcntl
import os


def main():
    held = []
    for number in range(20):
        fd = os.open("books/%d" % number, os.O_RDWR)
        fcntl.lockf(fd, fcntl.LOCK_EX)
        held.append(fd)
    total = 0
    for fd in held:
        total += int(os.read(fd, 64))
    for fd in held:
        os.close(fd)
    print("books %d, total %d" % (len(held), total))


main()
