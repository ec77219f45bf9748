"""Looks up the statues of a guided tour in the cathedral's register."""
import os
import sys
from collections import Counter

RECORD = 1024


class Register:
    def __init__(self, path):
        self.fd = os.open(path, os.O_RDONLY)
        self.count = os.fstat(self.fd).st_size // RECORD

    def __getitem__(self, number):
        if not 0 <= number < self.count:
            raise IndexError(number)
        os.lseek(self.fd, number * RECORD, os.SEEK_SET)
        record = os.read(self.fd, RECORD)
        if len(record) != RECORD:
            raise ValueError(f"record {number} is short")
        return record.decode().split()

    def close(self):
        os.close(self.fd)


def after(field, label):
    return field[len(label):]


def main():
    register = Register("statues.reg")
    with open("tour.txt") as f:
        tour = [int(line) for line in f]
    stones = Counter()
    lines = []
    way = 0
    last = 0
    for number in tour:
        statue, niche, stone = register[number][:3]
        place = int(after(niche, "niche"))
        way += abs(place - last)
        last = place
        stones[after(stone, "stone")] += 1
        lines.append(f"{after(statue, 'statue')} {place}\n")
    register.close()
    with open("route.txt", "w") as out:
        out.writelines(lines)
    for stone, n in sorted(stones.items()):
        print(stone, n)
    print(f"{len(tour)} statues, way of {way} niches")
    return 0


if __name__ == "__main__":
    sys.exit(main())
