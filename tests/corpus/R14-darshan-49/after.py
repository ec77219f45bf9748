# The descriptor is asked.
import os

total = 0
for number in range(1, 21):
    name = f"data/{number}"
    file = os.open(name, os.O_RDONLY)
    size = os.fstat(file).st_size
    total += len(os.read(file, size))
    os.close(file)
print("bytes", total)
