# Read.
import os

total = 0
for number in range(1, 21):
    file = os.open(f"data/{number}", os.O_RDONLY)
    total += len(os.read(file, 11))
    os.close(file)
print("bytes", total)
