"""Searches the best crop rotation of each field over six years."""
import itertools

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


def search(first, soil):
    best = None
    for rest in itertools.product(CROPS, repeat=5):
        plan = (CROPS[first], *rest)
        value = worth(plan, soil)
        if best is None or value > best[0]:
            best = (value, plan)
    return best


def main():
    total = 0
    with open("fields.txt") as lines:
        for line in lines:
            field, first, soil = line.split()
            value, plan = search(int(first), int(soil))
            total += value
            print(f"{field}: {value} {'-'.join(plan)}")
    print(f"total {total}")


if __name__ == "__main__":
    main()
