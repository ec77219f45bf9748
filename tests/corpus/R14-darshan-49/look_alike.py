# The file is closed by then: there is nothing but its path.
import os

total = 0
for number in range(1, 21):
    name = f"data/{number}"
    file = os.open(name, os.O_RDONLY)
    total += len(os.read(file, 100))
    os.close(file)
    total += os.stat(name).st_size
print("bytes", total)
