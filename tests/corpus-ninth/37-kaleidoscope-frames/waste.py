import os
import shutil
import tempfile
import zlib

SIDE = 24


def scratch_dir():
    return tempfile.mkdtemp(prefix="ninth-b-frames-", dir="/dev/shm")


def mirror(row):
    return row + row[::-1]


def render(seed):
    half = []
    value = seed * 7919 + 17
    for y in range(SIDE // 2):
        row = []
        for x in range(SIDE // 2):
            value = (value * 1103515245 + 12345) & 0x7FFFFFFF
            row.append((value >> 16) % 256 if (x + y) % 2 else seed)
        half.append(mirror(row))
    return half + half[::-1]


def save(rows, path):
    with open(path, "wb") as out:
        out.write(b"P5 %d %d 255\n" % (SIDE, SIDE))
        out.write(b"".join(bytes(row) for row in rows))


def main():
    with open("seeds.txt") as f:
        seeds = [int(line) for line in f]
    os.makedirs("frames", exist_ok=True)
    scratch = scratch_dir()
    check = 0
    for n, seed in enumerate(seeds):
        rows = render(seed)
        part = os.path.join(scratch, f"frame{n:03d}.part")
        save(rows, part)
        for row in rows:
            check = zlib.crc32(bytes(row), check)
        shutil.move(part, f"frames/frame{n:03d}.pgm")
    os.rmdir(scratch)
    print(f"{len(seeds)} frames, check {check:08x}")
    print("last:", sorted(os.listdir("frames"))[-1])


main()
