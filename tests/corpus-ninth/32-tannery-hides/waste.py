import os
from concurrent.futures import ThreadPoolExecutor

KINDS = ("calf", "goat", "deer")


class Reader:
    """Reads one hide's card in pieces."""

    def __init__(self, path):
        self.fd = os.open(path, os.O_RDONLY)

    def lines(self):
        text = b""
        try:
            while piece := os.read(self.fd, 4096):
                text += piece
        finally:
            os.close(self.fd)
        return text.decode().splitlines()

    def close(self):
        try:
            os.close(self.fd)
        except OSError:
            pass


def area(path):
    reader = Reader(path)
    try:
        total = 0.0
        for line in reader.lines():
            if line.startswith("piece"):
                _, width, height = line.split()
                total += float(width) * float(height)
        return path, total
    finally:
        reader.close()


def main():
    areas = []
    # The reading is given to a thread so that the window stays alive.
    with ThreadPoolExecutor(max_workers=2) as pool:
        for kind in KINDS:
            with open(f"areas-{kind}.txt", "w") as out:
                for n in range(8):
                    name, total = pool.submit(area, f"hides/{kind}-{n}.txt").result()
                    areas.append(total)
                    print(f"{os.path.basename(name)} {total:.2f}", file=out)
    print(f"{len(areas)} hides, {sum(areas):.2f} square feet, largest {max(areas):.2f}")


main()
