#!/usr/bin/env python3
"""Counts the pictures of a photo collection by suffix."""
import os
from collections import Counter


def walk(top, counts):
    with os.scandir(top) as listing:
        entries = sorted(listing, key=lambda e: e.name)
    for entry in entries:
        if entry.is_dir():
            walk(entry.path, counts)
        else:
            counts[os.path.splitext(entry.name)[1]] += 1
    return counts


def main():
    counts = walk("photos", Counter())
    for suffix, number in sorted(counts.items()):
        print("%-6s %d" % (suffix, number))
    print("total", sum(counts.values()))


main()
