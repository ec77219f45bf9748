import random
random.seed(5)
with open("volume.img", "wb") as f:
    for i in range(70):
        f.write(random.Random(i).randbytes(16384))
