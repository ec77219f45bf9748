# Reads each file by its path.
import os

total = 0
for number in range(1, 21):
    file = os.open(f"packages/{number}/manifest", os.O_RDONLY)
    total += len(os.read(file, 100))
    os.close(file)
print("bytes", total)
