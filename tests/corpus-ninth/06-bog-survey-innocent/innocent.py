"""Finds the surveyed squares in the mostly empty grid of the bog."""
import errno
import os
import struct

SQUARE = 262144


def pieces(fd):
    """Start and end of every part of the file that holds data."""
    at = 0
    while True:
        try:
            start = os.lseek(fd, at, os.SEEK_DATA)
        except OSError as err:
            if err.errno == errno.ENXIO:
                return
            raise
        end = os.lseek(fd, start, os.SEEK_HOLE)
        yield start, end
        at = end


def depths(fd, start, end):
    raw = os.pread(fd, end - start, start)
    count = len(raw) // 2
    return struct.unpack(f">{count}H", raw[:count * 2])


def main():
    fd = os.open("grid.raw", os.O_RDONLY)
    try:
        size = os.fstat(fd).st_size
        squares = []
        for start, end in pieces(fd):
            values = [value for value in depths(fd, start, end) if value]
            if values:
                squares.append((start // SQUARE, len(values), max(values), sum(values) / len(values)))
    finally:
        os.close(fd)
    with open("squares.txt", "w") as out:
        for number, count, deepest, mean in squares:
            out.write(f"{number:3d} {count:5d} soundings, deepest {deepest}, mean {mean:.2f}\n")
    print(f"{len(squares)} of {size // SQUARE} squares surveyed")
    print("deepest:", max(deepest for _, _, deepest, _ in squares))


main()
