"""Closes the first ten numbers before it begins, whether they are open or not, as daemons do."""
import os

first = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
os.close(first)
for number in range(first - 1, first + 10):
    if number > 2:
        try:
            os.close(number)
        except OSError:
            pass
print("ready")
