"""Finds the blends of a tea house that contain rose, and their brewing times."""
import mmap
import re
from dataclasses import dataclass

FIELD = re.compile(rb"^(\w+): (.*)$", re.M)


@dataclass
class Blend:
    name: str
    parts: dict[str, int]
    seconds: int
    celsius: int


def parse(data) -> Blend:
    fields = {k.decode(): v.decode() for k, v in FIELD.findall(data)}
    seconds, celsius = re.fullmatch(r"(\d+) s at (\d+) C", fields.pop("brew")).groups()
    fields.pop("note")
    name = fields.pop("name")
    return Blend(name, {k: int(v) for k, v in fields.items()}, int(seconds), int(celsius))


def load(path: str) -> Blend:
    with open(path, "rb") as f:
        with mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return parse(data)


def main() -> None:
    blends = [load(f"blends/b{n}.txt") for n in range(1, 65)]
    with_rose = [b for b in blends if b.parts["rose"]]
    longest = max(blends, key=lambda b: b.seconds)
    grams = sum(sum(b.parts.values()) for b in blends)
    print(f"{len(blends)} blends, {grams} parts in all")
    print(f"{len(with_rose)} with rose, the first is {with_rose[0].name}")
    print(f"longest: {longest.name}, {longest.seconds} s at {longest.celsius} C")
    for celsius in sorted({b.celsius for b in blends}):
        print(celsius, "C:", sum(b.celsius == celsius for b in blends))


if __name__ == "__main__":
    main()
