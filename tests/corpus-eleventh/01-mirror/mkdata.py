import os
os.makedirs("photos", exist_ok=True)
for i in range(40):
    with open(f"photos/img{i:03d}.raw", "wb") as f:
        f.write(bytes((i * 7 + k) & 255 for k in range(1021)) * 64)
