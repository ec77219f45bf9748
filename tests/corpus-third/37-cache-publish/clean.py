"""Publish rendered pages to the web server's memory file system."""
import os
import shutil
import tempfile

target = tempfile.mkdtemp(prefix="blind-www-", dir="/dev/shm")


def render(n):
    return "<html><body>%s</body></html>\n" % ("page %d " % n * 20)


def publish(n):
    name = "page%d.html" % n
    staged = os.path.join(target, "." + name + ".part")
    with open(staged, "w") as f:
        f.write(render(n))
    os.rename(staged, os.path.join(target, name))
    return os.path.join(target, name)


try:
    sizes = [os.stat(publish(n)).st_size for n in range(20)]
    print(len(os.listdir(target)), "pages,", sum(sizes), "bytes")
finally:
    shutil.rmtree(target)
