import os
os.makedirs("uploads", exist_ok=True)
with open("names.txt", "w") as m:
    for i in range(300):
        m.write(f"u{i:03d}\n")
        p = f"uploads/u{i:03d}"
        if i % 30 == 3:
            os.makedirs(p, exist_ok=True)
        elif i % 30 != 4:
            with open(p, "w") as f:
                f.write("z" * (i * 3))
            if i % 4 == 0:
                os.utime(p, (1500000000, 1500000000))
