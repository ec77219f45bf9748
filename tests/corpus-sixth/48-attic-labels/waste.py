"""Gives the scanned letters orderly names; the folder is locked while names change."""
import fcntl
import os
import re
from contextlib import contextmanager

FOLDER = "house/attic/chests/oak/letters/undated"


@contextmanager
def locked(folder):
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield fd
    finally:
        os.close(fd)


def orderly(name):
    match = re.fullmatch(r"SCAN (\d+)\.TXT", name)
    if not match:
        return None
    return f"letter-{int(match[1]):04d}.txt"


def rename_all(folder):
    renamed = []
    with locked(folder) as fd:
        for name in sorted(os.listdir(fd)):
            new = orderly(name)
            if new is None:
                continue
            os.rename(os.path.join(folder, name), os.path.join(folder, new))
            renamed.append((name, new))
    return renamed


def main():
    renamed = rename_all(FOLDER)
    print(f"{len(renamed)} letters renamed")
    for old, new in renamed[:3]:
        print(f"  {old} -> {new}")
    lengths = {len(new) for _, new in renamed}
    print("all names alike" if len(lengths) == 1 else f"lengths {sorted(lengths)}")


if __name__ == "__main__":
    main()
