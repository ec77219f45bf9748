#!/usr/bin/env python3
"""Starts a child with a private report channel, as gpg's --status-fd does."""
import os
import subprocess


def run(number):
    read_end, write_end = os.pipe()
    child = subprocess.Popen(
        ["/bin/sh", "-c", 'echo "status $1 ok" >&"$2"', "child", str(number), str(write_end)],
        pass_fds=[write_end])
    os.close(write_end)
    with os.fdopen(read_end) as report:
        text = report.read()
    if child.wait() != 0:
        raise SystemExit("child failed")
    return text.split()[2]


def main():
    answers = [run(number) for number in range(5)]
    print("children 5, ok", answers.count("ok"))


main()
