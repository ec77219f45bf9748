"""Loads the descriptions of the signal flags and spells out a message in colours."""
import os
import re
from pathlib import Path

FIELD = re.compile(rb'^(\w+) "?(.*?)"?$', re.M)


class Flag:
    def __init__(self, path):
        with open(path, "rb") as f:
            fields = {k.decode(): v.decode() for k, v in FIELD.findall(f.read())}
        self.letter = fields["letter"]
        self.colours = fields["colours"].split(",")
        self.meaning = fields["meaning"]


def load(folder):
    flags = {}
    for entry in sorted(os.scandir(folder), key=lambda e: e.name):
        if entry.name.endswith(".flag"):
            flag = Flag(entry.path)
            flags.setdefault(flag.letter, []).append(flag)
    return flags


def spell(flags, message):
    for letter in message.upper():
        if letter in flags:
            yield "/".join(flags[letter][0].colours)


def main():
    flags = load(Path("flags"))
    shown = list(spell(flags, "sea is calm"))
    print(len(flags), "letters,", sum(len(v) for v in flags.values()), "flags")
    print(" ".join(shown[:4]))
    print("Q:", "; ".join(f.meaning for f in flags["Q"]))


if __name__ == "__main__":
    main()
