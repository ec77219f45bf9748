import os
layers = ["tenant", "campaign", "brand", "season", "region", "base"]
for l in layers:
    os.makedirs(f"themes/{l}/partials", exist_ok=True)
for i in range(130):
    layer = "base" if i % 10 else layers[i // 10 % 5]
    with open(f"themes/{layer}/partials/block{i:03d}.html", "w") as f:
        f.write(f"<section id='b{i}'>from {layer}</section>\n")
with open("page.txt", "w") as f:
    f.write("\n".join(f"block{i:03d}" for i in range(130)) + "\n")
