#!/usr/bin/env python3
"""Makes pool/ (packages) and wanted.txt (what to install)."""
import os
os.makedirs("pool", exist_ok=True)
names = []
for i in range(160):
    name = f"lib{'abcdefgh'[i % 8]}{'oxyz'[i % 4]}-{i:03d}"
    names.append(name)
    for v in range(1 + i % 3):
        with open(f"pool/{name}_1.{v}.{i % 10}.pkg", "w") as f:
            f.write(f"package {name}\n")
with open("wanted.txt", "w") as f:
    for i in range(150):
        n = names[(i * 37) % len(names)]
        f.write((n if i % 25 else n + "-missing") + "\n")
