#!/usr/bin/env python3
"""Builds an offset index over the fixed-size records of an order journal."""
RECORD = 64


def build_index(path):
    index = {}
    with open(path, "rb") as journal:
        while True:
            offset = journal.tell()
            record = journal.read(RECORD)
            if len(record) < RECORD:
                break
            order = int(record.split()[1])
            index[order] = offset
    return index


def main():
    index = build_index("journal.bin")
    with open("journal.idx", "w") as out:
        for order in sorted(index):
            out.write("%d %d\n" % (order, index[order]))
    print("orders %d, last at %d" % (len(index), index[max(index)]))


main()
