"""Takes over the readings of a tide gauge from its memory."""
import math


class Gauge:
    def __init__(self):
        self.minute = -5

    def readings(self):
        for _ in range(280):
            self.minute += 5
            yield self.minute, 250 + 180 * math.sin(self.minute / 118.4)


def store(f, minute, level):
    f.write("%d;%.1f\n" % (minute, level))


highest = (0, 0)
with open("tide.csv", "a") as f:
    for minute, level in Gauge().readings():
        store(f, minute, level)
        highest = max(highest, (level, minute))
with open("tide.csv") as f:
    print(sum(1 for _ in f), "readings, highest %.1f at minute %d" % highest)
