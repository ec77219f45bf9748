"""Reads the head of a file, and then says that a part further on will be needed."""
import os

total = 0
for number in range(5):
    file = os.open(f"part{number}", os.O_RDONLY)
    total += len(os.read(file, 512))
    os.posix_fadvise(file, 2048, 2048, os.POSIX_FADV_WILLNEED)
    total += len(os.pread(file, 2048, 2048))
    os.close(file)
print("bytes", total)
