#!/usr/bin/env python3
"""Makes index.bin: 48 MB, nearly all holes; 2 000 buckets of 64 bytes are filled."""
import struct
with open("index.bin", "wb") as f:
    f.truncate(48 << 20)
    for i in range(2000):
        f.seek((i * 7919 % 12288) * 4096 + 64)
        f.write(struct.pack("<IQ52s", i, i * i, f"bucket {i}".encode()))
