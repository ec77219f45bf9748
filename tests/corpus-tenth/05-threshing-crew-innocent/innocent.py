"""Hands one list of sheaves to a crew of children that take turns at it."""
import os
import re
import sys

LINE = 1024
TURNS = 24


def thresh(fd, limit):
    """Reads sheaves until their weight is reached; returns the exit status."""
    weight = 0
    while weight < limit:
        record = os.read(fd, LINE * 4)
        if not record:
            return 3
        weight += sum(int(w) for w in re.findall(rb"weight (\d+)", record))
    return 0


def take_turn(fd, limit):
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            status = thresh(fd, limit)
        finally:
            os._exit(status)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status)


def main():
    fd = os.open("sheaves.txt", os.O_RDONLY)
    done = 0
    by_child = []
    for turn in range(TURNS):
        code = take_turn(fd, 150 + turn * 20 % 90)
        if code not in (0, 3):
            print("a child failed with", code, file=sys.stderr)
            return 1
        position = os.lseek(fd, 0, os.SEEK_CUR)
        by_child.append((position - done) // LINE)
        done = position
    os.close(fd)
    print("sheaves by child:", *by_child)
    print("threshed", done // LINE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
