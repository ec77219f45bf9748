import random
with open("upload.bin", "wb") as f:
    f.write(random.Random(3).randbytes(1200 * 1024))
