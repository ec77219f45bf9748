"""Feeds a drum machine (a child process) with strokes, and keeps the meter going meanwhile."""
import os
import select
import subprocess
import sys

DRUMS = ('kick', 'snare', 'hat', 'tom')


def strokes(path):
    with open(path) as f:
        for line in f:
            beat, drum, force = map(int, line.split())
            comment = f'drum {DRUMS[drum]} beat {beat} force {force}'
            yield f'{comment:<700}\n'.encode()


class Feed:
    """Never blocks: what the pipe does not take is kept and offered again."""

    def __init__(self, fd):
        self.fd = fd
        self.rest = b''
        self.full = 0
        os.set_blocking(fd, False)

    def offer(self, data=b''):
        self.rest += data
        while self.rest:
            try:
                n = os.write(self.fd, self.rest)
            except BlockingIOError:
                self.full += 1
                return False
            self.rest = self.rest[n:]
        return True


def main():
    player = subprocess.Popen([sys.executable, 'player.py'], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=False)
    feed = Feed(player.stdin.fileno())
    meter = {}
    for stroke in strokes('score.txt'):
        feed.offer(stroke)
        drum = stroke.split()[1].decode()
        meter[drum] = meter.get(drum, 0) + 1
    while not feed.offer():
        select.select([], [feed.fd], [])
    player.stdin.close()
    print(player.stdout.read().decode().strip())
    player.wait()
    for drum in DRUMS:
        print(f'{drum}: {meter[drum]}')
    print('pipe was full at times' if feed.full else 'pipe was never full')


if __name__ == '__main__':
    main()
