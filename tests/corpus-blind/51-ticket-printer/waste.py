#!/usr/bin/env python3
"""Writes theatre tickets that only their owner may read."""
import os

MODE = 0o600


def private(path, flags):
    return os.open(path, flags, MODE)


def write_ticket(number, seat):
    path = os.path.join("tickets", "%04d.txt" % number)
    with open(path, "w", opener=private) as out:
        os.chmod(path, MODE)
        out.write("ticket %d\nseat %s\n" % (number, seat))
    return os.stat(path).st_mode & 0o777 == MODE


def main():
    private_files = 0
    for number in range(80):
        seat = "%s%d" % ("ABCDEFGH"[number // 10], number % 10)
        private_files += write_ticket(number, seat)
    print("tickets 80, private %d" % private_files)


main()
