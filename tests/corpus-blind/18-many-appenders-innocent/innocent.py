#!/usr/bin/env python3
"""Four workers log into one file without a lock."""
import os

WORKERS = 4
RECORDS = 40


def worker(number):
    log = os.open("shared.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    for record in range(RECORDS):
        line = "worker %d record %d result %d\n" % (number, record, record * number % 7)
        os.write(log, line.encode())
    os.close(log)


def main():
    children = []
    for number in range(WORKERS):
        pid = os.fork()
        if pid == 0:
            worker(number)
            os._exit(0)
        children.append(pid)
    for pid in children:
        os.waitpid(pid, 0)
    per_worker = {}
    with open("shared.log") as f:
        for line in f:
            words = line.split()
            assert len(words) == 6, line
            per_worker[words[1]] = per_worker.get(words[1], 0) + 1
    print("workers %d, records %d" % (len(per_worker), sum(per_worker.values())))


main()
