"""A worker that takes up a changed configuration between two batches; an operator changes it three times."""
import os


class Config:
    def __init__(self, path):
        self.path, self.stamp, self.batch, self.reloads = path, None, 0, 0

    def refresh(self):
        st = os.stat(self.path)
        stamp = (st.st_mtime_ns, st.st_ino, st.st_size)
        if stamp != self.stamp:
            with open(self.path) as f:
                self.batch = int(f.read().split("=")[1])
            self.stamp = stamp
            self.reloads += 1


def operator(batch):
    with open("worker.conf.new", "w") as f:
        f.write("batch = %d\n" % batch)
        f.flush()
        os.fsync(f.fileno())
    os.rename("worker.conf.new", "worker.conf")


conf = Config("worker.conf")
done = 0
for turn in range(30):
    if turn in (7, 15, 22):
        operator(100 + turn)
    conf.refresh()
    done += conf.batch
print("items", done, "reloads", conf.reloads)
