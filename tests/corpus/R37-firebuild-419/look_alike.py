# A large file, of which a mapping saves a copy.
import mmap
import os

file = os.open("large", os.O_RDONLY)
total = 0
for _ in range(10):
    with mmap.mmap(file, 4194304, prot=mmap.PROT_READ, flags=mmap.MAP_PRIVATE) as words:
        total += len(words[:])
os.close(file)
print("bytes", total)
