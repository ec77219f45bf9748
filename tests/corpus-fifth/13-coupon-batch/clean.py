"""Closes the coupons of a shop that have been used up: moves them into an archive folder."""
import os
from pathlib import Path


def parse(text):
    fields = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
    return fields["code"], int(fields["percent"]), int(fields["uses"])


def archive(path, target):
    try:
        path.rename(target / path.name)
    except FileNotFoundError:
        pass


def close_used(folder, target):
    closed, open_ = [], []
    for path in sorted(folder.glob("*.cpn")):
        code, percent, uses = parse(path.read_text())
        if uses > 0:
            open_.append((code, percent))
        else:
            closed.append((code, path))
    # leave the used ones where the auditors look for them
    for code, path in closed:
        archive(path, target)
    return [code for code, _ in closed], open_


def tidy(folder, target):
    """The archive keeps its files under their year."""
    for name in sorted(os.listdir(target)):
        try:
            os.chmod(target / name, 0o444)
        except FileNotFoundError:
            pass


def main():
    folder, target = Path("coupons"), Path("coupons/closed")
    target.mkdir()
    closed, open_ = close_used(folder, target)
    tidy(folder, target)
    print(f"{len(closed)} closed, first {closed[0]}, last {closed[-1]}")
    print(f"{len(open_)} open, mean discount {sum(p for _, p in open_) / len(open_):.1f} %")


if __name__ == "__main__":
    main()
