"""Searches the best crop rotation of each field over six years."""
import itertools
import os
import tempfile

CROPS = ("rye", "beet", "clover", "potato")
YIELD = {"rye": 5, "beet": 9, "clover": 2, "potato": 8}


def worth(plan, soil):
    total = soil
    previous = None
    for crop in plan:
        total += YIELD[crop]
        if crop == previous:
            total -= 6
        if previous == "clover":
            total += 4
        previous = crop
    return total


def search(field, first, soil):
    best = None
    with tempfile.NamedTemporaryFile("w", prefix=f"{field}-", suffix=".plans", dir=".", delete=False) as trail:
        for rest in itertools.product(CROPS, repeat=5):
            plan = (CROPS[first], *rest)
            value = worth(plan, soil)
            trail.write(f"{value} {' '.join(plan)}\n")
            if best is None or value > best[0]:
                best = (value, plan)
    return best, trail.name


def main():
    total = 0
    trails = []
    with open("fields.txt") as lines:
        for line in lines:
            field, first, soil = line.split()
            (value, plan), trail = search(field, int(first), int(soil))
            trails.append(trail)
            total += value
            print(f"{field}: {value} {'-'.join(plan)}")
    for trail in trails:
        os.unlink(trail)
    print(f"total {total}")


if __name__ == "__main__":
    main()
