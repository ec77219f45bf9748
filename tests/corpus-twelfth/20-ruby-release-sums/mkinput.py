#!/usr/bin/env python3
"""Makes dist/: release files by platform."""
import os
for plat in ("linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64", "windows-amd64"):
    for part in ("bin", "share/doc", "share/locale"):
        d = f"dist/{plat}/{part}"
        os.makedirs(d, exist_ok=True)
        for i in range(14):
            with open(f"{d}/item{i:02d}.dat", "w") as f:
                f.write(f"{plat} {part} {i}\n" * (5 + i))
