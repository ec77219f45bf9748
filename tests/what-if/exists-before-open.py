# calls: newfstatat(*.conf) by path
# A file is asked for before it is opened; the patch opens it.
import os, sys

old = sys.argv[1] == "old"
for turn in range(10000):
    if old and not os.path.exists("app.conf"):
        sys.exit(1)
    file = os.open("app.conf", os.O_RDONLY)
    os.read(file, 64)
    os.close(file)
