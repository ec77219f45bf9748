"""Writes ten keys over files that others could read."""
import os

for number in range(1, 11):
    path = f"old/{number}"
    key = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.write(key, b"secret\n")
    os.close(key)
    os.chmod(path, 0o600)
print("10 keys")
