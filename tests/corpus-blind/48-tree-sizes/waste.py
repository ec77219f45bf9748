#!/usr/bin/env python3
"""Counts the words of a text archive."""
import os


class Archive:
    def __init__(self, path):
        self.path = os.path.abspath(path)
        self.fd = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)

    def names(self):
        return sorted(os.listdir(self.fd))

    def text(self, name):
        fd = os.open(os.path.join(self.path, name), os.O_RDONLY)
        try:
            return os.read(fd, 1 << 16).decode()
        finally:
            os.close(fd)

    def close(self):
        os.close(self.fd)


def main():
    archive = Archive("deep/1/2/3/4/5/6")
    words = 0
    names = archive.names()
    for name in names:
        words += len(archive.text(name).split())
    archive.close()
    print("texts %d, words %d" % (len(names), words))


main()
