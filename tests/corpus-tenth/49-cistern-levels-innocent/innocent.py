"""Takes the filling curve of a cistern: twenty levels at equal distances while the pump runs."""
import os
import time

SAMPLES = 20
PERIOD = 0.015
STROKE = b"." * 2048


def pump(path, strokes):
    """The pump: one stroke every six milliseconds, in a process of its own."""
    fd = os.open(path, os.O_WRONLY | os.O_APPEND)
    for _ in range(strokes):
        os.write(fd, STROKE)
        time.sleep(0.006)
    os.close(fd)


def sample(path):
    start = time.monotonic()
    levels = []
    for i in range(SAMPLES):
        levels.append(os.stat(path).st_size)
        due = start + (i + 1) * PERIOD
        time.sleep(max(0.0, due - time.monotonic()))
    return levels


def curve(levels):
    rises = [b - a for a, b in zip(levels, levels[1:])]
    return min(rises), max(rises)


def main():
    path = "cistern.dat"
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644))
    strokes = 60
    pid = os.fork()
    if pid == 0:
        pump(path, strokes)
        os._exit(0)

    levels = sample(path)
    _, status = os.waitpid(pid, 0)
    slowest, fastest = curve(levels)

    print(f"{len(levels)} levels taken, pump ended with {status}")
    print("never sinking" if slowest >= 0 else "the cistern leaks")
    print("filled while watched" if fastest > 0 else "no water came")
    print(f"in the end {os.stat(path).st_size} litres")


if __name__ == "__main__":
    main()
