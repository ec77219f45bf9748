"""Packs the tuning sheets of an accordion into one file with an index at its end."""
import os
import struct
import zlib

MAGIC = b"REED"


def pack(folder, target):
    index = []
    with open(target, "wb") as out:
        out.write(MAGIC + struct.pack("<HH", 1, 0))
        offset = len(MAGIC) + 4
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), "rb") as f:
                data = zlib.compress(f.read(), 9)
            out.write(data)
            index.append((name.encode(), offset, len(data)))
            offset += len(data)
        start = offset
        for name, offset, size in index:
            out.write(struct.pack("<B", len(name)) + name)
            out.write(struct.pack("<II", offset, size))
        out.write(struct.pack("<II", start, len(index)))
    return index


def check(target, index):
    with open(target, "rb") as f:
        blob = f.read()
    bad = 0
    for name, offset, size in index:
        text = zlib.decompress(blob[offset:offset + size])
        if not text.startswith(b"note "):
            bad += 1
    start, count = struct.unpack("<II", blob[-8:])
    return bad, start, count


def main():
    index = pack("reeds", "reeds.pak")
    bad, start, count = check("reeds.pak", index)
    print(f"{count} sheets, index at {start}, {bad} bad")
    print("first:", index[0][0].decode(), "last:", index[-1][0].decode())


if __name__ == "__main__":
    main()
