"""Checks out forty objects; their directory is made once."""

import os

os.makedirs("objects", exist_ok=True)
for number in range(40):
    file = os.open(f"objects/{number}", os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    os.write(file, b"object")
    os.close(file)
print(len(os.listdir("objects")), "objects")
