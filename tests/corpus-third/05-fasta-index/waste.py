"""Build a faidx-like index: name, length, offset of the first base."""
import io


def index(path):
    entries = []
    name, offset, length = None, 0, 0
    with open(path, "rb") as f:
        while True:
            line = f.readline()
            if not line:
                break
            here = f.tell()
            if line.startswith(b">"):
                if name:
                    entries.append((name, length, offset))
                name, offset, length = line[1:].strip().decode(), here, 0
            else:
                length += len(line.rstrip())
    if name:
        entries.append((name, length, offset))
    return entries


entries = index("genome.fa")
out = io.StringIO()
for e in entries:
    print(*e, sep="\t", file=out)
with open("genome.fa.fai", "w") as f:
    f.write(out.getvalue())
print(len(entries), entries[0], entries[-1])
