#!/usr/bin/env python3
"""Two processes count in one file, with a lock directory as on NFS."""
import os
import random
import time


def lock():
    while True:
        try:
            os.mkdir("counter.lock")
            return
        except FileExistsError:
            time.sleep(0.001 + random.random() / 500)


def unlock():
    os.rmdir("counter.lock")


def count(times):
    for _ in range(times):
        lock()
        with open("counter") as f:
            value = int(f.read())
        time.sleep(0.002)
        with open("counter", "w") as f:
            f.write("%d\n" % (value + 1))
        unlock()
        time.sleep(0.001)


def main():
    pid = os.fork()
    count(25)
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    with open("counter") as f:
        print("counted to", int(f.read()))


main()
