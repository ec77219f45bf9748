#!/usr/bin/env python3
"""Builds what is out of date."""
import os


def stale(source, target):
    try:
        return os.stat(source).st_mtime > os.stat(target).st_mtime
    except FileNotFoundError:
        return True


def build(source, target):
    with open(source) as f:
        text = f.read()
    with open(target, "w") as out:
        out.write(text.upper())


def main():
    built = 0
    for number in range(100):
        source, target = "src/%d.txt" % number, "obj/%d.out" % number
        if stale(source, target):
            build(source, target)
            built += 1
    print("built %d of 100" % built)


main()
