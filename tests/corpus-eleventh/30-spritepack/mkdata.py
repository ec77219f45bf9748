import os
os.makedirs("sprites", exist_ok=True)
for i in range(45):
    with open(f"sprites/s{i:02d}.spr", "wb") as f:
        f.write(bytes([i]) * (1500 + 40 * i))
