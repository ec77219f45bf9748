"""Builds an offset index of a tune book, so that a player can jump to a tune."""
import json


def field(line, letter):
    prefix = letter + b":"
    if line.startswith(prefix):
        return line[2:].strip().decode()
    return None


def build_index(path):
    index = {}
    current = None
    with open(path, "rb") as book:
        position = 0
        for line in book:
            start = position
            position += len(line)
            number = field(line, b"X")
            if number is not None:
                current = {"offset": start, "title": "", "key": "", "bars": 0}
                index[int(number)] = current
                continue
            if current is None:
                continue
            title, key = field(line, b"T"), field(line, b"K")
            if title:
                current["title"] = title
            elif key:
                current["key"] = key
            else:
                current["bars"] += line.count(b":|")
    return index


def main():
    index = build_index("tunes.abc")
    with open("tunes.idx", "w") as out:
        json.dump(index, out, indent=1, sort_keys=True)
    keys = {}
    for tune in index.values():
        keys.setdefault(tune["key"], []).append(tune["offset"])
    for key in sorted(keys):
        print(f"key {key}: {len(keys[key])} tunes, last at {max(keys[key])}")


main()
