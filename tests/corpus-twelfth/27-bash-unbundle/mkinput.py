#!/usr/bin/env python3
"""Makes bundle.bin (members behind one another) and bundle.idx (offset size name)."""
pos = 0
with open("bundle.bin", "wb") as b, open("bundle.idx", "w") as x:
    b.write(b"BUNDLE1\n"); pos = 8
    for i, name in enumerate(("boot.cfg", "logo.pnm", "font.dat", "strings.txt", "help.txt")):
        data = bytes((j * (i + 3)) % 251 for j in range(900 + 370 * i))
        b.write(data)
        x.write(f"{pos} {len(data)} {name}\n")
        pos += len(data)
