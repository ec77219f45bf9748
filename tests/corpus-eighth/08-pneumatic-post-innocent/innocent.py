"""A pneumatic post office: one FIFO per tube, letters go in at one end and out at the other."""
import fcntl
import os


def open_receiver(path):
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    flags = fcntl.fcntl(fd, fcntl.F_GETFL)
    fcntl.fcntl(fd, fcntl.F_SETFL, flags & ~os.O_NONBLOCK)
    return fd


def send(path, letters):
    fd = os.open(path, os.O_WRONLY)
    os.write(fd, "\n".join(letters).encode())
    os.close(fd)


def receive(fd):
    parts = []
    while True:
        part = os.read(fd, 65536)
        if not part:
            break
        parts.append(part)
    os.close(fd)
    return b"".join(parts).decode().split("\n")


def main():
    tubes = sorted(os.listdir("tubes"))
    receivers = {name: open_receiver("tubes/" + name) for name in tubes}
    for number, name in enumerate(tubes):
        letters = [f"to office {(number * 7 + k) % 20}" for k in range(1 + number % 4)]
        send("tubes/" + name, letters)
    offices = {}
    for name, fd in receivers.items():
        for letter in receive(fd):
            offices[letter] = offices.get(letter, 0) + 1
    busiest = max(sorted(offices), key=offices.get)
    print(f"{len(tubes)} tubes, {sum(offices.values())} letters, busiest {busiest}")


main()
