#!/usr/bin/env python3
"""Builds the index of a package repository."""
import hashlib


def digest(path):
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


def header(path):
    fields = {}
    with open(path, "rb") as f:
        text = f.read()
    for line in text.split(b"\n\n", 1)[0].decode().splitlines():
        key, value = line.split(": ", 1)
        fields[key] = value
    return fields


def index(path):
    entry = header(path)
    entry["sha256"] = digest(path)
    return entry


def main():
    entries = [index("pkgs/p%d.pkg" % n) for n in range(80)]
    with open("Packages", "w") as out:
        for entry in entries:
            out.write("".join("%s: %s\n" % pair for pair in entry.items()) + "\n")
    print(len(entries), "packages,", sum(int(e["size"]) for e in entries), "kB, last", entries[-1]["sha256"][:12])


main()
