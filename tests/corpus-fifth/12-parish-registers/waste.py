"""Counts the leaves in the registers of three parishes, by parish and decade."""
import collections
import os
import os.path

ROOT = "registers"


def leaves(folder):
    """All leaf files below a folder, sorted, with the folders they lie in."""
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if os.path.isdir(path):
            yield from leaves(path)
        elif os.path.isfile(path) and name.startswith("leaf"):
            yield path


def decade(path):
    return int(os.path.basename(os.path.dirname(path)))


def main():
    by_parish = collections.Counter()
    by_decade = collections.Counter()
    letters = 0
    for path in leaves(ROOT):
        parish = path.split(os.sep)[1]
        by_parish[parish] += 1
        by_decade[decade(path)] += 1
        letters += len(os.path.basename(path))
    for parish, n in sorted(by_parish.items()):
        print(f"{parish:8} {n:4}")
    for year, n in sorted(by_decade.items()):
        print(f"{year}s    {n:4}")
    print(f"{sum(by_parish.values())} leaves, {letters} letters in their names")


if __name__ == "__main__":
    main()
