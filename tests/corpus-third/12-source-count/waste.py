"""Count source files by language."""
import os
from collections import Counter

KINDS = {".py": "python", ".c": "c"}


def scan(top, counter):
    for name in os.listdir(top):
        path = os.path.join(top, name)
        if os.path.islink(path):
            continue
        if os.path.isdir(path):
            scan(path, counter)
        else:
            counter[KINDS.get(os.path.splitext(name)[1], "other")] += 1


def main():
    c = Counter()
    scan(os.path.abspath("proj"), c)
    print(sorted(c.items()))


main()
