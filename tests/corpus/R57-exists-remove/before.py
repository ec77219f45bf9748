# Asks whether each file is there, and removes it then.
import os

removed = 0
for number in range(1, 16):
    if os.path.exists(f"data/{number}"):
        os.remove(f"data/{number}")
        removed += 1
print("removed", removed)
