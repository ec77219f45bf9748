"""Writes twelve keys."""
import os

for number in range(12):
    path = f"keys/{number}"
    key = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    os.write(key, b"secret\n")
    os.close(key)
print("12 keys")
