import os
import struct
import time

HEAD = struct.Struct("<4sHHI")


def describe(path):
    """Reads the head of a take and guesses its length from the size of the file."""
    with open(path, "rb") as take:
        magic, channels, bits, rate = HEAD.unpack(take.read(HEAD.size))
        if magic != b"CELO":
            raise ValueError(f"{path} is no take")
        status = os.fstat(take.fileno())
        size, made = status.st_size, status.st_mtime
        frames = (size - HEAD.size) // (channels * bits // 8)
        take.seek(-4, os.SEEK_END)
        (last,) = struct.unpack("<i", take.read(4))
    return {
        "seconds": frames / rate,
        "channels": channels,
        "day": time.strftime("%Y-%m-%d", time.gmtime(made)),
        "clipped": last == 0x7FFFFFFF,
    }


def main():
    takes = {}
    with open("session.txt") as listing:
        for line in listing:
            takes[line.strip()] = describe(f"takes/{line.strip()}")
    days = sorted({t["day"] for t in takes.values()})
    with open("log.txt", "w") as log:
        for name, t in sorted(takes.items()):
            mark = "!" if t["clipped"] else " "
            print(f"{mark}{name:<12} {t['seconds']:.3f} s {t['channels']} ch {t['day']}", file=log)
    total = sum(t["seconds"] for t in takes.values())
    print(f"{len(takes)} takes on {len(days)} days, {total:.3f} s")
    print("longest:", max(takes, key=lambda n: takes[n]["seconds"]))


main()
