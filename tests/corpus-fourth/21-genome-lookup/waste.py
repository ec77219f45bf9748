"""Share of G and C around each variant."""
import os

WINDOW = 64


class Genome:
    def __init__(self, path):
        self.fd = os.open(path, os.O_RDONLY)

    def window(self, at):
        os.lseek(self.fd, at, os.SEEK_SET)
        return os.read(self.fd, WINDOW)


genome = Genome("chr7.raw")
with open("variants.txt") as f:
    places = [int(line) for line in f]
rich = 0
shares = []
for at in places:
    w = genome.window(at)
    share = (w.count(b"G") + w.count(b"C")) / len(w)
    shares.append(share)
    rich += share > 0.55
print(len(places), "variants,", rich, "in rich windows, mean %.4f" % (sum(shares) / len(shares)))
