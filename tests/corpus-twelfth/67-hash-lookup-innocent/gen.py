import struct
M = (1 << 64) - 1
def mix(x):
    x ^= x >> 33; x = x * 0xff51afd7ed558ccd & M
    x ^= x >> 33; x = x * 0xc4ceb9fe1a85ec53 & M
    return x ^ (x >> 33)
SLOTS = 1 << 20
with open("users.tbl", "wb") as f:
    f.truncate(SLOTS * 64)
    used = {}
    for i in range(1, 2501):
        if i % 6 == 0:
            continue
        key = i * 7 + 1
        s = mix(key) % SLOTS
        n = used.get(s, 0)
        if n < 4:
            used[s] = n + 1
            f.seek(s * 64 + n * 16)
            f.write(struct.pack("<QQ", key, key * key))
