"""Finds photos that are there twice: only files of the same size are read and compared."""
import collections
import hashlib
import os


def by_size(folder):
    groups = collections.defaultdict(list)
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_file(follow_symlinks=False):
                groups[entry.stat(follow_symlinks=False).st_size].append(entry.path)
    return groups


def digest(path):
    with open(path, "rb") as f:
        return hashlib.file_digest(f, "sha256").hexdigest()


def duplicates(groups):
    for size, paths in sorted(groups.items()):
        if len(paths) < 2:
            continue  # a size of its own: no twin, need not be read
        seen = {}
        for path in sorted(paths):
            first = seen.setdefault(digest(path), path)
            if first != path:
                yield size, first, path


def main():
    groups = by_size("photos")
    files = sum(len(p) for p in groups.values())
    alone = sum(len(p) == 1 for p in groups.values())
    print(f"{files} photos, {alone} of a size of their own")
    wasted = 0
    for size, first, again in duplicates(groups):
        print(f"{again} is {first}")
        wasted += size
    print(f"{wasted} bytes twice")


if __name__ == "__main__":
    main()
