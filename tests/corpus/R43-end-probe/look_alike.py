"""Copies a file of which it does not know how long it is: only asking on tells the end."""
import os

copied = 0
source = os.open("data1", os.O_RDONLY)
target = os.open("copy1", os.O_WRONLY | os.O_CREAT | os.O_EXCL)
while came := os.copy_file_range(source, target, 1 << 20):
    copied += came
os.close(source)
os.close(target)
print("copied", copied)
