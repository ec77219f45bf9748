"""Merges the family trees of a village into one and counts what came together."""
import collections
import glob
import json
import os
import tempfile


class Merger:
    def __init__(self):
        self.people = {}
        self.doubles = collections.Counter()

    def add_tree(self, path):
        before = dict(self.people)
        with tempfile.NamedTemporaryFile("w", prefix="merge-", suffix=".json", dir=".", delete=False) as undo:
            # state before this tree, should the merge have to be taken back
            json.dump(before, undo)
        try:
            with open(path) as f:
                for line in f:
                    name, born, village = line.strip().split(";")
                    if name in self.people:
                        self.doubles[village] += 1
                    self.people.setdefault(name, (int(born), village))
        except ValueError:
            self.people = before
        os.remove(undo.name)


def main():
    m = Merger()
    trees = sorted(glob.glob("trees/*.csv"))
    for path in trees:
        m.add_tree(path)
    oldest = min(m.people.items(), key=lambda kv: (kv[1][0], kv[0]))
    print("trees", len(trees), "people", len(m.people))
    print("oldest", oldest[0], oldest[1][0])
    for village, n in sorted(m.doubles.items()):
        print(village, "doubles", n)


if __name__ == "__main__":
    main()
