"""Puts the rolls of the parishes in order: those out of order are sorted by sort(1) and read anew."""
import subprocess
from pathlib import Path


def entries(path):
    lines = path.read_text().splitlines()
    return [(int(line[:5]), line[6:]) for line in lines]


def in_order(rows):
    return all(a[0] <= b[0] for a, b in zip(rows, rows[1:]))


def sort_file(path):
    subprocess.run(["sort", "-n", "-o", path, path], check=True, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"})


def load(path):
    rows = entries(path)
    if in_order(rows):
        return rows, False
    sort_file(path)
    # another program has rewritten the file: what we read before is no longer what it holds
    rows = entries(path)
    if not in_order(rows):
        raise SystemExit(f"{path}: still out of order")
    return rows, True


def main():
    sorted_ = []
    total = 0
    for path in sorted(Path("rolls").glob("*.txt")):
        rows, changed = load(path)
        total += len(rows)
        if changed:
            sorted_.append(path.stem)
    print(f"{total} entries")
    print(f"{len(sorted_)} rolls sorted: {sorted_[0]} to {sorted_[-1]}")


if __name__ == "__main__":
    main()
