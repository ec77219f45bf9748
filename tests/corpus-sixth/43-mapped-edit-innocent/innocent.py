"""Marks the piano rolls that have been checked: flips the state in the header through a mapping."""
import mmap
from pathlib import Path

HEADER = 32


def verdict(body):
    holes = [int(line) for line in body.split()]
    return b"ok " if sum(holes) % 3 == 0 else b"bad"


class Roll:
    """A roll mapped for reading and for the change of its three state bytes."""

    def __init__(self, path):
        with open(path, "r+b") as file:
            self.map = mmap.mmap(file.fileno(), 0)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.map.close()

    def check(self):
        end = self.map.find(b"\n", 0, HEADER)
        at = self.map.find(b"state=", 0, end) + len(b"state=")
        if self.map[at:at + 3] != b"new":
            raise ValueError("checked before")
        result = verdict(self.map[end + 1:])
        self.map[at:at + 3] = result
        return result.decode().strip()


def main():
    counts = {"ok": 0, "bad": 0}
    paths = sorted(Path("rolls").glob("*.txt"), key=lambda p: int(p.stem[1:]))
    for path in paths:
        with Roll(path) as roll:
            counts[roll.check()] += 1
    print(f"{len(paths)} rolls checked: {counts['ok']} ok, {counts['bad']} bad")
    print(paths[1].read_text().splitlines()[0])


if __name__ == "__main__":
    main()
