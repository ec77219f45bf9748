# calls: newfstatat(*.conf) by path
# patch: stat
# As exists-before-open.py; the patch takes away the call, and not what Python does around it.
import os

for turn in range(10000):
    if not os.path.exists("app.conf"):
        raise SystemExit(1)
    file = os.open("app.conf", os.O_RDONLY)
    os.read(file, 64)
    os.close(file)
