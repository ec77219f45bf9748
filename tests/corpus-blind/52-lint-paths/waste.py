#!/usr/bin/env python3
"""Finds trailing blanks in sources and reports them by absolute path."""
import os
from collections import Counter


def finding(path, line):
    return os.path.abspath(path), line


def check(path):
    with open(path) as f:
        for number, line in enumerate(f, 1):
            text = line.rstrip("\n")
            if text != text.rstrip():
                yield finding(path, number)


def main():
    per_file = Counter()
    for name in sorted(os.listdir("src")):
        for path, _ in check(os.path.join("src", name)):
            per_file[path] += 1
    worst, number = per_file.most_common(1)[0]
    print("findings %d in %d files, worst %s with %d" % (
        sum(per_file.values()), len(per_file), os.path.basename(worst), number))


main()
