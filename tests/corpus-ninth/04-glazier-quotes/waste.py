"""Writes one quotation per house from the list of panes."""
import csv
import os

KINDS = {"0": ("float", 31), "1": ("laminated", 58), "2": ("leaded", 96)}
BOLD, PLAIN = "\033[1m", "\033[0m"


class Writer:
    def __init__(self, path):
        self.out = open(path, "w")

    def line(self, text, strong=False):
        if self.out.isatty() and strong:
            text = BOLD + text + PLAIN
        self.out.write(text + "\n")

    def close(self):
        self.out.close()


def read_panes(path):
    houses = {}
    with open(path, newline="") as src:
        for house, width, height, kind in csv.reader(src):
            houses.setdefault(house, []).append((int(width), int(height), kind))
    return houses


def quote(writer, panes):
    total = 0
    for width, height, kind in panes:
        name, rate = KINDS[kind]
        cents = width * height * rate // 10
        total += cents
        writer.line(f"{width:4d} x {height:4d}  {name:10s} {cents / 100:9.2f}")
    writer.line(f"in all {total / 100:.2f}", strong=True)
    return total


def main():
    os.makedirs("quotes", exist_ok=True)
    houses = read_panes("panes.csv")
    best = None
    for house, panes in houses.items():
        writer = Writer(os.path.join("quotes", house + ".txt"))
        total = quote(writer, panes)
        writer.close()
        if best is None or total > best[1]:
            best = (house, total)
    print(f"{len(houses)} quotations written")
    print(f"dearest: {best[0]} at {best[1] / 100:.2f}")


main()
