"""Puts the logs of yesterday into the archive and empties them."""
import os
import shutil

moved = 0
for name in sorted(os.listdir("logs")):
    source, target = os.path.join("logs", name), os.path.join("archive", name + ".1")
    with open(source, "rb") as src, open(target, "wb") as dst:
        shutil.copyfileobj(src, dst)
    moved += os.path.getsize(target)
    os.truncate(source, 0)
print(moved, "bytes archived,", sum(os.path.getsize("logs/" + n) for n in os.listdir("logs")), "left")
