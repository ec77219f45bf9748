"""Copies twelve files, each until as much is copied as it has."""
import os

copied = 0
for number in range(1, 13):
    source = os.open(f"data{number}", os.O_RDONLY)
    target = os.open(f"copy{number}", os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    left = os.fstat(source).st_size
    while left > 0:
        came = os.copy_file_range(source, target, left)
        left -= came
        copied += came
    os.close(source)
    os.close(target)
print("copied", copied)
