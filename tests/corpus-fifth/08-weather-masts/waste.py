"""Listens to the masts of a weather station, each of which writes into a FIFO of its own."""
import fcntl
import os

MASTS = 24
FOLDER = "masts"


def open_mast(i):
    path = f"{FOLDER}/mast{i:02d}"
    os.mkfifo(path)
    # read-write, so that the FIFO does not report an end when a mast restarts
    fd = os.open(path, os.O_RDWR)
    flags = fcntl.fcntl(fd, fcntl.F_GETFL)
    fcntl.fcntl(fd, fcntl.F_SETFL, flags | os.O_NONBLOCK)
    return fd


def report(fd, i):
    """What a mast would send."""
    for hour in range(i % 4):
        os.write(fd, f"{hour:02d} {10 + (i * 7 + hour * 3) % 25}\n".encode())


def poll(fd):
    try:
        return os.read(fd, 4096).decode().splitlines()
    except BlockingIOError:
        return []


def main():
    os.mkdir(FOLDER)
    fds = [open_mast(i) for i in range(MASTS)]
    for i, fd in enumerate(fds):
        report(fd, i)
    readings, silent = [], []
    for i, fd in enumerate(fds):
        lines = poll(fd)
        if not lines:
            silent.append(i)
        readings += [int(line.split()[1]) for line in lines]
        os.close(fd)
    print(f"{MASTS} masts, {len(readings)} readings, {len(silent)} silent: {silent}")
    print(f"warmest {max(readings)}, mean {sum(readings) / len(readings):.2f}")


if __name__ == "__main__":
    main()
