#!/usr/bin/env python3
"""Collects request times and stores a summary every ten ticks."""
import os


class Store:
    def __init__(self, path):
        self.file = open(path, "a")
        self.pending = []

    def add(self, text):
        self.pending.append(text)

    def flush(self):
        for text in self.pending:
            self.file.write(text + "\n")
        self.pending.clear()
        self.file.flush()
        os.fsync(self.file.fileno())


def main():
    store = Store("metrics.txt")
    times = []
    summaries = 0
    for tick in range(60):
        times.extend((tick * 37 + n * 11) % 90 for n in range(5))
        if tick % 10 == 9:
            store.add("tick %d mean %.1f max %d" % (tick, sum(times) / len(times), max(times)))
            times.clear()
            summaries += 1
        store.flush()
    store.file.close()
    print("ticks 60, summaries %d, size %d" % (summaries, os.path.getsize("metrics.txt")))


main()
