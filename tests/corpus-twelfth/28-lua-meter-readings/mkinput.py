#!/usr/bin/env python3
"""Makes readings.dat: a 64-byte header, then 64-byte records."""
with open("readings.dat", "w") as f:
    f.write("METER v1 600".ljust(63) + "\n")
    for i in range(600):
        f.write(f"{i % 24:05d} {1700000000 + i * 900} {i * 37 % 1000:6d} kWh".ljust(63) + "\n")
