import os, struct
os.makedirs("uploads", exist_ok=True)
for i in range(420):
    png = i % 4 == 0
    head = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 100 + i, 50 + i) if png else b"GIF89a" + bytes(40)
    with open(f"uploads/f{i:04d}.bin", "wb") as f:
        f.write(head + b"x" * 200)
