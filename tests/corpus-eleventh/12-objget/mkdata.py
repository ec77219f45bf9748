import os
os.makedirs("objects", exist_ok=True)
for i in range(400):
    with open(f"objects/k{i * 7919 % 100003:06d}.obj", "wb") as f:
        f.write(bytes([i & 255]) * (200 + i))
with open("requests.txt", "w") as f:
    for i in range(320):
        n = i * 7919 % 100003 if i % 16 else 999000 + i
        f.write(f"k{n:06d}\n")
