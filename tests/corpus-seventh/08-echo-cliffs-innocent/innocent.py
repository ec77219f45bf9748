"""Shouts at twelve cliffs at once and collects the echoes as they come."""
import fcntl
import os
import selectors
import subprocess


class Cliff:
    def __init__(self, number):
        self.number = number
        self.child = subprocess.Popen(["/bin/sh", "cliff.sh", str(number)], stdout=subprocess.PIPE, bufsize=0)
        self.fd = self.child.stdout.fileno()
        flags = fcntl.fcntl(self.fd, fcntl.F_GETFL)
        fcntl.fcntl(self.fd, fcntl.F_SETFL, flags | os.O_NONBLOCK)
        self.echo = b""

    def drain(self):
        """Takes all there is; True at the end of the echo."""
        while True:
            try:
                part = os.read(self.fd, 65536)
            except BlockingIOError:
                return False
            if not part:
                return True
            self.echo += part


def main():
    cliffs = [Cliff(number) for number in range(1, 13)]
    waiting = selectors.DefaultSelector()
    for cliff in cliffs:
        waiting.register(cliff.fd, selectors.EVENT_READ, cliff)
    while waiting.get_map():
        for key, _ in waiting.select():
            if key.data.drain():
                waiting.unregister(key.fd)
                key.data.child.stdout.close()
                key.data.child.wait()
    for cliff in cliffs:
        lines = cliff.echo.decode().splitlines()
        print(f"cliff {cliff.number}: {len(lines)} echoes, last '{lines[-1]}'")


main()
