import os


def whole(path):
    with open(path, "rb") as file:
        return file.read()


def bare(path):
    fd = os.open(path, os.O_RDONLY)
    try:
        return os.read(fd, 1 << 20)
    finally:
        os.close(fd)
