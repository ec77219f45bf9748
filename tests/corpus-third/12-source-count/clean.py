"""Count source files by language."""
import os
from collections import Counter

KINDS = {".py": "python", ".c": "c"}


def scan(top, counter):
    with os.scandir(top) as entries:
        for entry in entries:
            if entry.is_symlink():
                continue
            if entry.is_dir(follow_symlinks=False):
                scan(entry.path, counter)
            else:
                counter[KINDS.get(os.path.splitext(entry.name)[1], "other")] += 1


def main():
    c = Counter()
    scan(os.path.abspath("proj"), c)
    print(sorted(c.items()))


main()
