"""Saves a level of 40 by 40 cells: ground, height, light."""
import os
import struct
import zlib

SIDE = 40
cell = struct.Struct("<BBB")


def level(x, y):
    return (x * 3 + y) % 7, (x * y) % 200, 255 - abs(x - 20) - abs(y - 20)


with open("cave.lvl", "wb") as f:
    f.write(b"LVL2" + struct.pack("<HH", SIDE, SIDE))
    for y in range(SIDE):
        for x in range(SIDE):
            f.write(cell.pack(*level(x, y)))
with open("cave.lvl", "rb") as f:
    saved = f.read()
print(os.path.getsize("cave.lvl"), "%08x" % zlib.crc32(saved))
