"""Write backup parts around the page cache when possible."""
import errno
import os
import zlib

FLAGS = os.O_WRONLY | os.O_CREAT | os.O_TRUNC


def write_all(fd, data):
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view):]


def save(path, data):
    fd = os.open(path, FLAGS, 0o600)
    try:
        write_all(fd, data)
    finally:
        os.close(fd)
    return len(data)


total = 0
for n in range(20):
    block = zlib.compress(bytes(range(256)) * (n + 3), 1) + b"tail%d" % n
    save("parts/%02d.z" % n, block)
    total += os.path.getsize("parts/%02d.z" % n) == len(block)
print(total, "parts whole")
