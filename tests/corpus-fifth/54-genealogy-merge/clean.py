"""Merges the family trees of a village into one and counts what came together."""
import collections
import glob


class Merger:
    def __init__(self):
        self.people = {}
        self.doubles = collections.Counter()

    def add_tree(self, path):
        before = dict(self.people)
        try:
            with open(path) as f:
                for line in f:
                    name, born, village = line.strip().split(";")
                    if name in self.people:
                        self.doubles[village] += 1
                    self.people.setdefault(name, (int(born), village))
        except ValueError:
            self.people = before


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
