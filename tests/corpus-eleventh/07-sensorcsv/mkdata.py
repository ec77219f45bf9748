import struct
with open("dump.bin", "wb") as f:
    for i in range(2000):
        f.write(struct.pack("<IHh", 1600000000 + i, i % 16, (i * 37) % 900 - 300))
