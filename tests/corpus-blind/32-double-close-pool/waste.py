#!/usr/bin/env python3
"""Adds up measurement files; a heartbeat thread looks at its file meanwhile."""
import os
import threading
import time


class Pool:
    def open(self, path):
        return os.open(path, os.O_RDONLY)

    def release(self, fd):
        os.close(fd)


def read_value(pool, path):
    fd = pool.open(path)
    text = b""
    try:
        text = os.read(fd, 64)
        pool.release(fd)
    except OSError:
        pass
    finally:
        try:
            os.close(fd)
        except OSError:
            pass
    return int(text) if text.strip() else None


def heartbeat(stop):
    while not stop.is_set():
        try:
            fd = os.open("heartbeat", os.O_RDONLY)
            os.read(fd, 16)
            os.close(fd)
        except OSError:
            pass
        time.sleep(0.002)


def main():
    stop = threading.Event()
    thread = threading.Thread(target=heartbeat, args=(stop,))
    thread.start()
    pool = Pool()
    total = 0
    for number in range(80):
        value = None
        while value is None:
            value = read_value(pool, "data/%d" % number)
        total += value
        time.sleep(0.001)
    stop.set()
    thread.join()
    print("files 80, total", total)


main()
