"""Adds up the tally sheets of the loading crews in a worker thread."""
import csv
import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def read_sheet(path):
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    total = Counter()
    with os.fdopen(fd, newline="") as sheet:
        for crew, crates in csv.reader(sheet):
            total[crew] += int(crates)
    return path.stem, total


def heaviest(total):
    crew, crates = max(total.items(), key=lambda item: (item[1], item[0]))
    return f"{crew} with {crates}"


def main():
    grand = Counter()
    days = sorted(Path("sheets").glob("*.csv"))
    with ThreadPoolExecutor(max_workers=1) as pool:
        for day, total in pool.map(read_sheet, days):
            print(f"{day}: {sum(total.values())} crates, most by {heaviest(total)}")
            grand.update(total)
    for crew in sorted(grand):
        print(f"{crew} {grand[crew]}")


if __name__ == "__main__":
    main()
