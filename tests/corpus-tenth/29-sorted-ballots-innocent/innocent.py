"""Sorts the ballots of each ward with sort(1); only what is on disk is reported as counted."""
import os
import subprocess
from collections import Counter


def sync(path, flags=0):
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | flags)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def sort_ward(path):
    part = path + ".part"
    subprocess.run(["sort", "-u", "-o", part, path], check=True, env={"LC_ALL": "C", "PATH": os.environ["PATH"]})
    sync(part)
    os.rename(part, path)


def count(path):
    lists = Counter()
    with open(path) as f:
        for line in f:
            lists[line.split()[1]] += 1
    return lists


def main():
    names = sorted(n for n in os.listdir("wards") if n.endswith(".txt"))
    for name in names:
        sort_ward(os.path.join("wards", name))
    sync("wards", os.O_DIRECTORY)

    total = Counter()
    for name in names:
        lists = count(os.path.join("wards", name))
        total += lists
        print(f"{name}: {sum(lists.values())} ballots")
    for name, n in sorted(total.items()):
        print(f"{name} {n}")


if __name__ == "__main__":
    main()
