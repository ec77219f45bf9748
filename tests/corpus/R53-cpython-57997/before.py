"""Closes what it inherited, as daemons do: every number, of which hardly one is open."""
import os

for number in range(3, 1024):
    try:
        os.close(number)
    except OSError:
        pass
print("nothing is open")
