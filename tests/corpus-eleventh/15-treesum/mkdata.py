import os
for d in range(150):
    p = f"tree/a{d // 12:02d}/b{d:03d}"
    os.makedirs(p, exist_ok=True)
    for k in range(3):
        with open(f"{p}/f{k}.txt", "w") as f:
            f.write(f"{d} {k}\n" * (20 + d))
