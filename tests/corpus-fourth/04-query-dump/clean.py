"""Dumps the result of a query: aligned for a terminal, tab-separated for files."""


class Table:
    def __init__(self, out, widths):
        self.out = out
        self.widths = widths
        self.aligned = out.isatty()

    def row(self, *cells):
        if self.aligned:
            text = "  ".join(str(c).ljust(w) for c, w in zip(cells, self.widths))
        else:
            text = "\t".join(map(str, cells))
        self.out.write(text + "\n")


def query():
    for order in range(1, 300):
        yield order, "customer-%02d" % (order % 41), order * 3.5


with open("result.tsv", "w") as out:
    t = Table(out, (6, 14, 9))
    t.row("order", "customer", "total")
    total = 0
    for row in query():
        t.row(*row)
        total += row[2]
print("total", total)
