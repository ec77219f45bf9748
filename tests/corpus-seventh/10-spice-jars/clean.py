"""Tells the cook in which cupboard each wanted spice stands."""
import os
from collections import Counter

CUPBOARDS = ["cook", "window", "cellar", "attic"]


class Kitchen:
    def __init__(self, root):
        self.places = [os.path.join(root, c) for c in CUPBOARDS]
        self.found = Counter()
        self.missing = []
        self.jars = {}
        for place in reversed(self.places):
            for name in os.listdir(place):
                self.jars[name] = place

    def find(self, spice):
        place = self.jars.get(spice + ".jar")
        return place and os.path.join(place, spice + ".jar")

    def want(self, spice):
        jar = self.find(spice)
        if jar is None:
            self.missing.append(spice)
            return
        self.found[os.path.basename(os.path.dirname(jar))] += 1


def main():
    kitchen = Kitchen("cupboards")
    with open("wanted.txt") as wanted:
        for line in wanted:
            kitchen.want(line.strip())
    for cupboard in CUPBOARDS:
        print(f"{cupboard}: {kitchen.found[cupboard]} jars")
    print("buy:", " ".join(kitchen.missing))


main()
