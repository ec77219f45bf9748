import os
os.makedirs("src", exist_ok=True)
for i in range(220):
    with open(f"src/part{i:03d}.css", "w") as f:
        f.write(f"/* part {i} */\n" + "".join(f".c{i}-{k} {{ margin: {k}px; }}\n" for k in range(20 + i % 13)))
