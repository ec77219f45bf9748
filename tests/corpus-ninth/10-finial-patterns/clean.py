"""Collects the turning patterns of an order and estimates the wood for it."""
import os

SHELVES = ["own", "bench", "guild", "lent", "attic"]
ROOT = "shelf"


class Library:
    def __init__(self, root, shelves):
        self.root = root
        self.shelves = shelves
        self.places = {}
        for shelf in reversed(shelves):
            where = os.path.join(root, shelf)
            for entry in os.listdir(where):
                self.places[entry] = os.path.join(where, entry)

    def find(self, name):
        return self.places.get(name + ".pat")


def read_pattern(path):
    values = {}
    with open(path) as src:
        for line in src:
            key, value = line.split()
            values[key] = int(value)
    return values


def wood(pattern):
    offcut = 12 + 3 * pattern["turns"]
    return pattern["height"] + offcut


def main():
    library = Library(ROOT, SHELVES)
    missing, total, by_shelf = [], 0, {}
    with open("wanted.txt") as src:
        names = src.read().split()
    with open("cutlist.txt", "w") as out:
        for name in names:
            path = library.find(name)
            if path is None:
                missing.append(name)
                continue
            length = wood(read_pattern(path))
            total += length
            shelf = path.split(os.sep)[1]
            by_shelf[shelf] = by_shelf.get(shelf, 0) + 1
            out.write(f"{name:10s} {length:4d} mm  from {shelf}\n")
    print(f"{len(names) - len(missing)} patterns, {total} mm of limewood")
    print("missing:", ", ".join(missing) or "none")
    print(", ".join(f"{shelf} {by_shelf[shelf]}" for shelf in SHELVES if shelf in by_shelf))


main()
