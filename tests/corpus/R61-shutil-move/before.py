"""Makes two reports in memory and moves them here."""
import os
import shutil

for name in ("north", "south"):
    draft = "/dev/shm/fathom-corpus-%s-%d" % (name, os.getpid())
    with open(draft, "x") as report:
        report.write("report\n")
    shutil.move(draft, name + ".txt")
print("moved 2")
