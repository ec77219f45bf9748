"""Sample load and own memory while a small job runs; print whether the job stayed in bounds."""
import sys
import threading
import time

SAMPLES = 220
PERIOD = 0.008


def job(stop):
    """Something to watch: grows and shrinks a buffer."""
    while not stop.is_set():
        data = bytearray(1 << 20)
        time.sleep(0.01)
        del data


def read_stat():
    with open("/proc/self/stat", encoding="ascii") as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12]), int(fields[21])


def read_meminfo():
    with open("/proc/meminfo", encoding="ascii") as f:
        for line in f:
            if line.startswith("MemAvailable:"):
                return int(line.split()[1])
    return 0


def main():
    stop = threading.Event()
    worker = threading.Thread(target=job, args=(stop,))
    worker.start()
    rss, ticks, avail = [], [], []
    for _ in range(SAMPLES):
        t, pages = read_stat()
        ticks.append(t)
        rss.append(pages)
        avail.append(read_meminfo())
        time.sleep(PERIOD)
    stop.set()
    worker.join()
    grew = max(rss) - min(rss) < 1 << 18
    monotone = all(a <= b for a, b in zip(ticks, ticks[1:]))
    print(f"{len(rss)} samples, bounded={grew}, cpu time monotone={monotone}, memory seen={min(avail) > 0}")
    return 0 if grew and monotone else 1


if __name__ == "__main__":
    sys.exit(main())
