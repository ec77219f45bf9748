"""Prunes the scans of a museum that nobody has claimed for a year, and tells what is left."""
import os
import time

BASE = "store/images/scanned/2024/catalogue/tmp"
YEAR = 365 * 86400


class Scans:
    def __init__(self, base):
        # held open: the directory is synced when all is done
        self.fd = os.open(base, os.O_RDONLY | os.O_DIRECTORY)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        os.fsync(self.fd)
        os.close(self.fd)

    def names(self):
        return sorted(os.listdir(self.fd))

    def age(self, name, now):
        return now - os.stat(name, dir_fd=self.fd).st_mtime

    def drop(self, name):
        os.unlink(name, dir_fd=self.fd)


def main():
    now = time.time()
    dropped = []
    kept = 0
    with Scans(BASE) as scans:
        for name in scans.names():
            if scans.age(name, now) > YEAR:
                scans.drop(name)
                dropped.append(name)
            else:
                kept += 1
    print("dropped", len(dropped), "first", dropped[0])
    print("kept", kept)


if __name__ == "__main__":
    main()
