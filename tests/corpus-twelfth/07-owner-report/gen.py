import os
os.makedirs("home", exist_ok=True)
for i in range(350):
    with open(f"home/item{i:03d}.dat", "wb") as f:
        f.write(b"x" * (i * 13 % 900))
