#!/usr/bin/env python3
"""Takes orders and answers each one as soon as it is stored for good."""
import json
import os


class Store:
    def __init__(self, directory):
        self.directory = directory
        self.fd = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)

    def put(self, order):
        path = os.path.join(self.directory, "%d.json" % order["id"])
        with open(path, "x") as f:
            json.dump(order, f)
            f.flush()
            os.fsync(f.fileno())
        os.fsync(self.fd)


def incoming():
    for number in range(1, 5):
        yield {"id": number, "article": "A%d" % (number * 3), "count": number}


def main():
    store = Store("orders")
    for order in incoming():
        store.put(order)
        print("accepted %d" % order["id"], flush=True)


main()
