#!/usr/bin/env python3
"""Makes catalog.bin (sorted fixed records: 24-byte name, 8-byte price) and order.txt."""
import struct
names = sorted(f"part-{i * 7919 % 100003:06d}" for i in range(900))
with open("catalog.bin", "wb") as f:
    for i, n in enumerate(names):
        f.write(struct.pack("<24sq", n.encode(), 100 + i * 13 % 7000))
with open("order.txt", "w") as f:
    for i in range(240):
        f.write((names[i * 53 % 900] if i % 30 else f"gone-{i}") + f" {1 + i % 9}\n")
