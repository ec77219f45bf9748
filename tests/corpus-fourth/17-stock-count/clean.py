"""Stock of each shelf from the list of the night shift."""
from collections import Counter

shelves = Counter()
with open("stock.csv", "rb") as f:
    while True:
        line = f.readline()
        if not line:
            break
        _, shelf, pieces = line.decode().rstrip().split(";")
        shelves[shelf] += int(pieces)
for shelf, pieces in sorted(shelves.items()):
    print(shelf, pieces)
