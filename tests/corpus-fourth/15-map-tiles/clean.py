"""Cuts a map into tiles z/x/y.txt."""
import os


def save(folder, y, pixels):
    with open(os.path.join(folder, "%d.txt" % y), "w") as f:
        f.write(pixels)


n = 0
for z in (3, 4):
    side = 16 if z == 4 else 8
    for x in range(side):
        folder = os.path.join("tiles", str(z), str(x))
        os.makedirs(folder)
        for y in range(side):
            if z == 3 and y % 2:
                continue
            save(folder, y, "%d" % (x * y % 7) * 64)
            n += 1
print(n, "tiles,", len(os.listdir("tiles/4")), "columns at zoom 4")
