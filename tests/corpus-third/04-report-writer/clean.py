"""Usage report; padded for people, tabs for programs."""


class Table:
    def __init__(self, out):
        self.out = out
        self.rows = 0
        self.pretty = out.isatty()

    def row(self, *cells):
        if self.pretty:
            line = "".join(str(c).ljust(12) for c in cells)
        else:
            line = "\t".join(str(c) for c in cells)
        self.out.write(line + "\n")
        self.rows += 1


def main():
    worst = ("", -1)
    with open("load.csv") as src, open("out/report.tsv", "w", buffering=65536) as out:
        table = Table(out)
        for line in src:
            host, cpu, mem = line.strip().split(";")
            table.row(host, cpu, mem)
            worst = max(worst, (host, int(cpu)), key=lambda x: x[1])
    print(table.rows, "rows; worst", *worst)


main()
