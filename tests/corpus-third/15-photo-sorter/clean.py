"""Sort photos by day; leaves a sidecar list in each day's directory."""
import os
from collections import defaultdict


class Sorter:
    def __init__(self, root):
        self.root = root
        self.days = defaultdict(list)
        self.made = set()

    def place(self, name, date):
        year, month, day = date.split("-")
        folder = os.path.join(self.root, year, month + "-" + day)
        if folder not in self.made:
            os.makedirs(folder, exist_ok=True)
            self.made.add(folder)
        self.days[folder].append(name)

    def finish(self):
        for folder, names in self.days.items():
            with open(os.path.join(folder, "index.txt"), "w") as f:
                f.write("\n".join(names) + "\n")


s = Sorter("sorted")
with open("card.lst") as f:
    for line in f:
        s.place(*line.split())
s.finish()
print({os.path.basename(k): len(v) for k, v in sorted(s.days.items())})
