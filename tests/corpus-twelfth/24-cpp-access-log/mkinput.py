#!/usr/bin/env python3
"""Makes access.raw: epoch seconds, status, bytes, path."""
t = 1709251200
with open("access.raw", "w") as f:
    for i in range(450):
        t += 60 + i * 97 % 900
        f.write(f"{t} {(200, 200, 304, 404)[i % 4]} {i * 331 % 20000} /docs/page{i % 40}.html\n")
