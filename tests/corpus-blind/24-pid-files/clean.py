#!/usr/bin/env python3
"""Collects the process numbers of all supervised daemons."""
import os


def pid_of(path):
    with open(path, "rb", buffering=0) as f:
        return int(f.read(32).decode())


def main():
    pids = {}
    for number in range(120):
        name = "d%d" % number
        pids[name] = pid_of(os.path.join("run", name + ".pid"))
    assert len(set(pids.values())) == len(pids), "two daemons with one pid"
    print("daemons %d, lowest %d, highest %d" % (len(pids), min(pids.values()), max(pids.values())))


main()
