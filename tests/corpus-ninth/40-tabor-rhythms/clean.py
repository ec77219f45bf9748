import os
import subprocess
import sys

AWK = '{ n = split($2, b, ""); s = ""; for (i = n; i > 0; i--) s = s b[i]; print $1, s }'


class Sheet:
    """While it is entered, whatever is printed, here or by a child, goes to its file."""

    def __init__(self, path):
        self.path = path

    def __enter__(self):
        sys.stdout.flush()
        self.saved = os.dup(1)
        fd = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(fd, 1)
        os.close(fd)

    def __exit__(self, *exc):
        sys.stdout.flush()
        os.dup2(self.saved, 1)
        os.close(self.saved)


def beats(pattern):
    return sum(1 for c in pattern if c in "xX")


def main():
    os.makedirs("parts", exist_ok=True)
    total = 0
    dances = {}
    with open("dances.txt") as f:
        for line in f:
            dance, pattern = line.split()
            dances.setdefault(dance, []).append(pattern)
    for dance, patterns in dances.items():
        with Sheet(f"parts/{dance}.txt"):
            sheet = f"{dance}: {len(patterns)} bars\n"
            for n, pattern in enumerate(patterns, 1):
                sheet += f"{n} {pattern} {beats(pattern)}\n"
                total += beats(pattern)
            sys.stdout.write(sheet)
            if len(patterns) > 3:
                sys.stdout.flush()
                bars = "".join(f"back {p}\n" for p in patterns)
                subprocess.run(["awk", AWK], input=bars, text=True, check=True)
    print(f"{len(dances)} dances, {total} strokes of the stick")


main()
