"""Merge coverage lines by absolute file name."""
import os
from collections import defaultdict


BASE = os.getcwd()


def normal(name):
    return os.path.normpath(os.path.join(BASE, name))


def load(path):
    hits = defaultdict(dict)
    with open(path) as f:
        for line in f:
            name, lineno, count = line.rstrip().split(":")
            per = hits[normal(name)]
            per[int(lineno)] = per.get(int(lineno), 0) + int(count)
    return hits


hits = load("cov.txt")
lines = sum(len(v) for v in hits.values())
covered = sum(1 for v in hits.values() for c in v.values() if c)
print(len(hits), "files,", lines, "lines,", covered, "covered")
