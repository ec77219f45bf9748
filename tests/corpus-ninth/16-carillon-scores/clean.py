"""Catalogue of the carillon's scores, each piece once however it is called."""
import os

SCORES = os.path.join("scores", "1924")


def places(directory):
    """Pairs of name and real path of every score."""
    base = os.path.realpath(directory)
    with os.scandir(directory) as listing:
        entries = sorted(listing, key=lambda entry: entry.name)
    for entry in entries:
        if entry.name.endswith(".scr"):
            path = os.path.join(base, entry.name)
            yield entry.name, os.path.realpath(path) if entry.is_symlink() else path


def read_score(path):
    values = {}
    with open(path) as src:
        for line in src:
            key, value = line.split()
            values[key] = int(value)
    return values


def minutes(score):
    return score["bars"] * 4 / 72


def main():
    by_place = {}
    for name, place in places(SCORES):
        by_place.setdefault(place, []).append(name)
    total, needs = 0.0, {}
    with open("catalogue.txt", "w") as out:
        for place, names in by_place.items():
            score = read_score(place)
            length = minutes(score)
            total += length
            needs[score["bells"]] = needs.get(score["bells"], 0) + 1
            title = os.path.basename(place)
            others = [name for name in names if name != title]
            note = f" (also {', '.join(others)})" if others else ""
            out.write(f"{title:14s} {score['bells']:3d} bells {length:5.1f} min{note}\n")
    print(f"{len(by_place)} pieces, {total:.1f} minutes")
    print("most bells:", max(needs), "fewest:", min(needs))
    print("second names:", sum(len(names) - 1 for names in by_place.values()))


main()
