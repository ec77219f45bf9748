import zlib, struct
with open("volume.img", "wb") as f:
    for i in range(400):
        body = (bytes([i & 255, (i * 3) & 255, 17, 5]) * 4096)[:16380]
        f.write(body + struct.pack("<I", zlib.adler32(body)))
