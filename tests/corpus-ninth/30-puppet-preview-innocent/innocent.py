import fcntl
import os
import zlib

FRAME = 512
F_SETPIPE_SZ = 1031


class Preview:
    """A window that shows what it can; frames that do not fit are dropped, the film has them all."""

    def __init__(self):
        self.out, self.into = os.pipe()
        os.set_blocking(self.out, False)
        os.set_blocking(self.into, False)
        fcntl.fcntl(self.into, F_SETPIPE_SZ, 4096)
        self.shown = self.dropped = 0

    def offer(self, frame):
        try:
            os.write(self.into, frame)
        except BlockingIOError:
            self.dropped += 1

    def paint(self):
        """Called when the screen has time."""
        while True:
            try:
                frame = os.read(self.out, FRAME)
            except BlockingIOError:
                return
            if len(frame) == FRAME:
                self.shown += 1


def pose(puppet, step):
    row = bytes((puppet * 31 + step * 7 + i * 3) & 0xFF for i in range(16))
    return (row * (FRAME // 16))[:FRAME]


def main():
    preview = Preview()
    film = []
    step = 0
    with open("script.txt") as script:
        for line in script:
            puppet, steps = map(int, line.split())
            for _ in range(steps):
                frame = pose(puppet, step)
                film.append(frame)
                preview.offer(frame)
                step += 1
            preview.paint()
    with open("film.raw", "wb") as out:
        out.write(b"".join(film))
    print(f"{len(film)} frames filmed, sum {zlib.crc32(b''.join(film)):08x}")
    print(f"preview: {preview.shown} shown, {preview.dropped} dropped")


main()
