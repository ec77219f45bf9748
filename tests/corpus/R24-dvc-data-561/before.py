"""Checks out forty objects and makes the directory for each."""

import os

for number in range(40):
    os.makedirs("objects", exist_ok=True)
    file = os.open(f"objects/{number}", os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    os.write(file, b"object")
    os.close(file)
print(len(os.listdir("objects")), "objects")
