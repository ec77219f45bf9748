#!/usr/bin/env python3
"""Makes assets/: style sheets, scripts and icons."""
import os
for kind, n in (("css", 40), ("js", 90), ("svg", 120)):
    os.makedirs(f"assets/{kind}", exist_ok=True)
    for i in range(n):
        with open(f"assets/{kind}/{kind}-{i:03d}.{kind}", "w") as f:
            f.write(f"/* {kind} number {i} */\n" * (3 + i % 7))
