"""Copies twelve files, each until the kernel has nothing more to copy."""
import os

copied = 0
for number in range(1, 13):
    source = os.open(f"data{number}", os.O_RDONLY)
    target = os.open(f"copy{number}", os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    size = os.fstat(source).st_size
    while came := os.copy_file_range(source, target, size):
        copied += came
    os.close(source)
    os.close(target)
print("copied", copied)
