"""Runs tasks under per-task lock files."""
import fcntl
import os
import threading


class Lock:
    def __init__(self, name):
        self.path = "run/%s.lock" % name
        self.file = None

    def acquire(self):
        self.file = open(self.path, "w")
        fcntl.flock(self.file, fcntl.LOCK_EX)

    def release(self):
        os.unlink(self.path)
        self.file.close()    # drops the flock


class Task(threading.Thread):
    results = []

    def __init__(self, name):
        super().__init__()
        self.name = name

    def run(self):
        lock = Lock(self.name)
        lock.acquire()
        self.results.append(len(self.name))
        lock.release()


for n in ("index", "vacuum", "rotate", "report"):
    t = Task(n)
    t.start()
    t.join()
print(sum(Task.results), sorted(os.listdir("run")))
