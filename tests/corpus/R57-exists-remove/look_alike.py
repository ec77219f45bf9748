# Removes what is old: the listing said that it is there, and the stat says since when.
import os

removed = 0
for name in sorted(os.listdir("data")):
    if os.stat(f"data/{name}").st_mtime < 2e9:
        os.remove(f"data/{name}")
        removed += 1
print("removed", removed)
