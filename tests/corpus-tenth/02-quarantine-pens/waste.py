"""Gives the arriving animals a pen for their quarantine."""
import csv
import os
from collections import Counter

NORTH = ["N1", "N2", "N3", "N4"]
SOUTH = ["S1", "S2", "S3"]
LARGE = {"alpaca", "donkey"}


def wing_for(kind):
    if kind in LARGE:
        return SOUTH, os.path.exists("pens/north.closed")
    if os.path.exists("pens/north.closed"):
        return SOUTH, True
    return NORTH, False


def main():
    with open("arrivals.csv", newline="") as f:
        rows = list(csv.reader(f))

    pens = Counter()
    crowded = 0
    lines = []
    for number, (tag, kind, days) in enumerate(rows):
        wing, tight = wing_for(kind)
        pen = wing[number % len(wing)]
        pens[pen] += 1
        stay = int(days) + (2 if tight else 0)
        if tight and pens[pen] > 20:
            crowded += 1
        lines.append(f"{tag}\t{kind}\t{pen}\t{stay}\n")

    with open("pens/plan.tsv", "w") as out:
        out.writelines(lines)
    for pen, n in sorted(pens.items()):
        print(pen, n)
    print("animals in crowded pens:", crowded)


if __name__ == "__main__":
    main()
