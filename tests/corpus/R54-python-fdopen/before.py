"""Writes five notes. Each descriptor has two owners, and both close it."""
import os

for number in range(5):
    descriptor = os.open(f"note{number}", os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        with os.fdopen(descriptor, "wb", buffering=0) as file:
            file.write(b"a note\n")
    finally:
        try:
            os.close(descriptor)
        except OSError:
            pass
print("5 notes")
