"""Writes the sum of each of eight files."""
import os

for number in range(8):
    source = os.open(f"page{number}", os.O_RDONLY)
    page = os.read(source, 12000)
    os.close(source)
    total = os.open(f"sum{number}", os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    os.write(total, b"%d\n" % sum(page))
    os.close(total)
print("8 sums")
