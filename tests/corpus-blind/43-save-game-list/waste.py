#!/usr/bin/env python3
"""Shows the saved games, highest level first."""
import os
from dataclasses import dataclass


@dataclass
class Save:
    path: str
    level: int
    title: str


def load(path):
    with open(path, "r+b") as f:
        head = f.read(8)
        if head[:4] != b"SAVE":
            raise ValueError(path)
        return Save(path, int(head[4:]), f.read().decode())


def main():
    saves = [load(os.path.join("saves", name)) for name in sorted(os.listdir("saves"))]
    saves.sort(key=lambda s: (-s.level, s.title))
    for save in saves[:5]:
        print("%3d  %s" % (save.level, save.title))
    print("games", len(saves))


main()
