import struct
with open("table.bin", "wb") as f:
    for i in range(48):
        f.write(b"".join(struct.pack("<I", (i * 2654435761 + k * 40503) & 0xffffffff) for k in range(16384)))
open("shards.conf", "w").write("# settings\nhosts = 4\nscale = 977\n")
