import struct
with open("stock.db", "wb") as f:
    f.write(struct.pack("<8sII48x", b"STOCKDB1", 3000, 64))
    for i in range(3000):
        f.write(struct.pack("<I20sII32x", i * 7 + 1, f"sku-{i:05d}".encode(), (i * 31) % 50, 100 + (i * 17) % 900))
