# Removes it, and takes a missing one for done.
import os

removed = 0
for number in range(1, 16):
    try:
        os.remove(f"data/{number}")
        removed += 1
    except FileNotFoundError:
        pass
print("removed", removed)
