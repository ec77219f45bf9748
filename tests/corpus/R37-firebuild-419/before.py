# A mapping of a page costs more than reading it.
import mmap
import os

total = 0
for number in range(1, 21):
    file = os.open(f"data/{number}", os.O_RDONLY)
    with mmap.mmap(file, 11, prot=mmap.PROT_READ, flags=mmap.MAP_PRIVATE) as words:
        total += len(words[:])
    os.close(file)
print("bytes", total)
