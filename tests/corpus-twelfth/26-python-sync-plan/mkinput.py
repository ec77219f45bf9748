#!/usr/bin/env python3
"""Makes left/ and right/: two trees that differ a little, with fixed times."""
import os
for side in ("left", "right"):
    for d in range(4):
        os.makedirs(f"{side}/d{d}", exist_ok=True)
        for i in range(35):
            if side == "right" and (i + d) % 17 == 0:
                continue
            p = f"{side}/d{d}/f{i:02d}.txt"
            n = 40 + i + (1 if side == "left" and i % 11 == 3 else 0)
            with open(p, "w") as f:
                f.write("x" * n)
            t = 1700000000 + i + (60 if side == "left" and i % 13 == 5 else 0)
            os.utime(p, (t, t))
