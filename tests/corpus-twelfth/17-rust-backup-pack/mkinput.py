#!/usr/bin/env python3
"""Makes home/: a small tree to be backed up."""
import os
for d in range(6):
    os.makedirs(f"home/dir{d}/notes", exist_ok=True)
    for i in range(12):
        sub = "notes/" if i % 3 == 0 else ""
        with open(f"home/dir{d}/{sub}file{i:02d}.txt", "w") as f:
            f.write(f"file {d}/{i}\n" * (30 + 11 * i + d))
