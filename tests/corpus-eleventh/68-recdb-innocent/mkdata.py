import struct
N = 1 << 20
pad = b"article".ljust(48, b"\0")
with open("stock.tbl", "wb") as f:
    for base in range(0, N, 4096):
        f.write(b"".join(struct.pack("<QII", i, i % 50, i % 977) + pad for i in range(base, base + 4096)))
