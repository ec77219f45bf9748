"""Gives each tenant of a hosting machine a control socket in the tenant's own directory and says hello to it.

The directories lie so deep that the path does not fit in sockaddr_un (108 bytes); the way out that works
everywhere is to go to the directory and to use the bare name.
"""
import contextlib
import os
import socket

BASE = "/".join(["srv", "hosting-platform-production", "region-central-europe", "customers-of-the-second-generation",
                 "control-sockets"])
TENANTS = 12


@contextlib.contextmanager
def inside(directory, home):
    os.chdir(directory)
    try:
        yield
    finally:
        os.fchdir(home)


def listen(directory, home):
    s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    with inside(directory, home):
        s.bind("control")
    s.listen(1)
    return s


def hello(directory, home, server, text):
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as c:
        with inside(directory, home):
            c.connect("control")
        c.sendall(text.encode())
        conn, _ = server.accept()
        with conn:
            return conn.recv(200).decode()


def main():
    home = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
    servers = []
    for n in range(TENANTS):
        d = f"{BASE}/tenant-{n:04d}"
        os.makedirs(d)
        servers.append((d, listen(d, home)))
    total = 0
    for n, (d, s) in enumerate(servers):
        total += len(hello(d, home, s, "hello tenant " + "!" * n))
        s.close()
        os.unlink(f"{d}/control")
    os.close(home)
    print("path needs", len(f"{BASE}/tenant-0000/control") > 107 and "more" or "less", "than 107 bytes")
    print("tenants", TENANTS, "bytes", total)


if __name__ == "__main__":
    main()
