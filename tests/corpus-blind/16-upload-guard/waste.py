#!/usr/bin/env python3
"""Serves uploaded files, refusing names that lead out of the upload directory."""
import os

UPLOADS = "data/uploads"


def allowed(name):
    base = os.path.realpath(UPLOADS)
    full = os.path.realpath(os.path.join(UPLOADS, name))
    return full.startswith(base + os.sep)


def serve(name):
    if not allowed(name):
        return None
    with open(os.path.join(UPLOADS, name)) as f:
        return f.read()


def main():
    served = refused = total = 0
    names = ["f%d" % n for n in range(100)] + ["../../setup.sh", "../x"]
    for name in names:
        text = serve(name)
        if text is None:
            refused += 1
        else:
            served += 1
            total += int(text)
    print("served %d, refused %d, sum %d" % (served, refused, total))


main()
