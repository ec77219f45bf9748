import os
os.makedirs("quotes", exist_ok=True)
with open("collection.txt", "w") as m:
    for i in range(320):
        m.write(f"q{i:03d}\n")
        with open(f"quotes/q{i:03d}", "w") as f:
            for k in range(6):
                f.write(f"Saying number {i * 6 + k}, which is wise.\n-- Author {(i + k) % 23}\n%\n")
