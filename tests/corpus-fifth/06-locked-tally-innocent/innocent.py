"""Several counting stations share one tally file: a total in the head, the votes behind it."""
import fcntl
import os

FILE = "tally.dat"
HEAD = 16
STATIONS = 4
VOTES = 20


def append(fd, record):
    """Others have written since our last turn: the end must be looked up under the lock.

    O_APPEND is no way out, since the total in the head is written through the same descriptor.
    """
    fcntl.flock(fd, fcntl.LOCK_EX)
    try:
        os.lseek(fd, 0, os.SEEK_END)
        os.write(fd, record)
        total = int(os.pread(fd, HEAD, 0)) + 1
        os.pwrite(fd, b"%15d\n" % total, 0)
    finally:
        fcntl.flock(fd, fcntl.LOCK_UN)


def station(number):
    fd = os.open(FILE, os.O_RDWR | os.O_CLOEXEC)
    for vote in range(VOTES):
        append(fd, b"%02d %02d\n" % (number, vote))
    os.close(fd)


def main():
    with open(FILE, "xb") as f:
        f.write(b"%15d\n" % 0)
    children = []
    for number in range(STATIONS):
        pid = os.fork()
        if pid == 0:
            station(number)
            os._exit(0)
        children.append(pid)
    failed = sum(os.waitpid(pid, 0)[1] != 0 for pid in children)
    with open(FILE, "rb") as f:
        total = int(f.read(HEAD))
        votes = f.read().splitlines()
    print(f"{total} in the head, {len(votes)} votes, {len(set(votes))} different, {failed} stations failed")


if __name__ == "__main__":
    main()
