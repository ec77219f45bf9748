#!/usr/bin/env python3
"""Converts a picture of decimal triplets to grey values, via a raw file."""
import os

RAW = "/tmp/blind-convert.raw"


def decode(source, raw):
    with open(source) as f:
        text = f.read()
    values = bytes(int(text[i:i + 3]) for i in range(0, len(text), 3))
    raw.write(values)
    return len(values)


def histogram(raw):
    counts = [0] * 4
    for value in raw.read():
        counts[value // 64] += 1
    return counts


def main():
    with open(RAW, "w+b") as raw:
        pixels = decode("picture.txt", raw)
        raw.seek(0)
        counts = histogram(raw)
    os.remove(RAW)
    print("pixels %d, histogram %s" % (pixels, counts))


main()
