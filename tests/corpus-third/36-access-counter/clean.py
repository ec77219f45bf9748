"""Hit counter of a small web application, replaying a trace."""
import pathlib

LOG = pathlib.Path.cwd() / "hits.log"


class Counter:
    def __init__(self, log):
        self.hits = {}
        self.log = open(log, "a")

    def hit(self, page, visitor):
        self.hits[page] = self.hits.get(page, 0) + 1
        self.log.write("%s %s\n" % (page, visitor))

    def close(self):
        self.log.close()


c = Counter(LOG)
for i in range(150):
    c.hit("/page/%d" % (i * i % 11), "visitor%d" % (i % 13))
c.close()
print(len(c.hits), max(c.hits.values()), LOG.stat().st_size)
