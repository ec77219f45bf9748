"""Book the free seats of a list; a seat file starts with F(ree) or T(aken)."""
import fcntl
import os


def book(path):
    fd = os.open(path, os.O_RDWR)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        state = os.pread(fd, 4, 0)
        if state[:1] != b"F":
            return None
        os.pwrite(fd, b"T", 0)
        return int(state[1:])
    finally:
        os.close(fd)


def main():
    booked = []
    for i in range(1, 31):
        number = book("seats/r%d" % i)
        if number is not None:
            booked.append(number)
    print(len(booked), "booked:", *booked)


main()
