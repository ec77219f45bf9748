#!/usr/bin/env python3
"""Counts the pictures of a photo collection by suffix."""
import os
from collections import Counter


def walk(top, counts):
    for name in sorted(os.listdir(top)):
        path = os.path.join(top, name)
        if os.path.isdir(path):
            walk(path, counts)
        else:
            counts[os.path.splitext(name)[1]] += 1
    return counts


def main():
    counts = walk("photos", Counter())
    for suffix, number in sorted(counts.items()):
        print("%-6s %d" % (suffix, number))
    print("total", sum(counts.values()))


main()
