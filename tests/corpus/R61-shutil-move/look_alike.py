"""Makes two reports in memory, moves them here under another name, and renames them."""
import os
import shutil

for name in ("north", "south"):
    draft = "/dev/shm/fathom-corpus-%s-%d" % (name, os.getpid())
    with open(draft, "x") as report:
        report.write("report\n")
    shutil.move(draft, name + ".draft")
    os.rename(name + ".draft", name + ".txt")
print("moved 2")
