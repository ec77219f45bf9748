"""Makes two reports here, under another name, and renames them."""
import os

for name in ("north", "south"):
    with open(name + ".draft", "x") as report:
        report.write("report\n")
    os.rename(name + ".draft", name + ".txt")
print("moved 2")
