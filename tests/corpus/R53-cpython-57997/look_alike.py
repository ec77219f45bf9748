"""Closes forty files that it opened, in their order."""
import os

numbers = [os.open(".", os.O_RDONLY | os.O_DIRECTORY) for _ in range(40)]
for number in numbers:
    os.close(number)
print("closed", len(numbers))
