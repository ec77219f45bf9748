import os
for t in range(25):
    os.makedirs(f"site/t{t}", exist_ok=True)
for i in range(500):
    if i % 2:
        open(f"site/t{i % 25}/x{i}.png", "w").write("png")
for p in range(20):
    with open(f"site/page{p:02d}.html", "w") as f:
        for k in range(50):
            i = (p * 25 + k) % 500
            f.write(f'<img src="t{i % 25}/x{i}.png">\n')
