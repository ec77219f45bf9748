"""Toll tally: counters live in a mapped file, a receipt is given when the counter is on the disk."""
import mmap
import os
import struct

LANES = 8
CELL = struct.Struct("<QQ")


class Tally:
    def __init__(self, path):
        self.fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        self.map = mmap.mmap(self.fd, 4096, mmap.MAP_SHARED)

    def add(self, lane, amount):
        cars, sum_ = CELL.unpack_from(self.map, lane * CELL.size)
        CELL.pack_into(self.map, lane * CELL.size, cars + 1, sum_ + amount)
        # the change was made through the mapping, so no write() is seen, yet the page is dirty
        os.fsync(self.fd)
        return cars + 1

    def rows(self):
        return [CELL.unpack_from(self.map, n * CELL.size) for n in range(LANES)]

    def close(self):
        self.map.close()
        os.close(self.fd)


def main():
    tally = Tally("tally.bin")
    with open("lanes.txt") as f:
        for line in f:
            lane, amount = line.split()
            n = tally.add(int(lane[4:]), int(amount))
            print(f"receipt {lane}/{n}: {amount}")
    for n, (cars, sum_) in enumerate(tally.rows()):
        print(f"lane{n}: {cars} cars, {sum_}")
    tally.close()


if __name__ == "__main__":
    main()
