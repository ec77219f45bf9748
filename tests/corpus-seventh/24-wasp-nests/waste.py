"""Sums up the survey of wasp nests by the kind of tree."""
import mmap
import os
from collections import defaultdict


def fields(data):
    for line in data.splitlines():
        key, sep, value = line.partition(b"=")
        if sep:
            yield key.decode(), value.decode()


def record(path):
    with open(path, "rb", buffering=0) as file:
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as view:
            if view[:4] != b"NEST":
                raise ValueError(path)
            return dict(fields(view[5:]))


def main():
    cells = defaultdict(int)
    nests = defaultdict(int)
    highest = (0, "")
    with os.scandir("nests") as entries:
        names = sorted(e.name for e in entries if e.name.endswith(".rec"))
    for name in names:
        nest = record(os.path.join("nests", name))
        cells[nest["tree"]] += int(nest["cells"])
        nests[nest["tree"]] += 1
        highest = max(highest, (int(nest["height"]), name))
    for tree in sorted(nests):
        print(f"{tree}: {nests[tree]} nests, {cells[tree]} cells")
    print(f"highest: {highest[1]} at {highest[0]} m")


main()
