"""Turnpike keeper: computes the tolls of a day and journals each receipt on a small memory card."""
import csv
import os
import resource

CARD = 4000
RATES = {"coach": 18, "cart": 9, "rider": 3, "drover": 12}


class Journal:
    def __init__(self, path):
        self.file = open(path, "wb", buffering=0)

    def write(self, text):
        try:
            self.file.write(text.encode())
        except OSError:
            pass

    def close(self):
        if self.file is not None:
            self.file.close()
            self.file = None


def main():
    # the card takes no file larger than this
    resource.setrlimit(resource.RLIMIT_FSIZE, (CARD, CARD))
    journal = Journal("journal.log")
    takings = {kind: 0 for kind in RATES}
    receipts = 0
    with open("passages.csv", newline="") as f:
        for number, kind, axles in csv.reader(f):
            toll = RATES[kind] * int(axles)
            takings[kind] += toll
            receipts += 1
            journal.write(f"receipt {int(number):04d} {kind:<8} axles {axles} toll {toll:>4} d\n")
    journal.close()

    with open("takings.txt", "w") as f:
        for kind, pence in sorted(takings.items()):
            f.write(f"{kind} {pence}\n")

    print(f"{receipts} passages, {sum(takings.values())} pence")
    print(f"journal {os.stat('journal.log').st_size} bytes")


if __name__ == "__main__":
    main()
