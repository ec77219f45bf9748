"""Counts the letters of a historical correspondence by writer and decade."""
import collections
import os

FOLDER = "letters"


def read_file(path):
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(fd, 1 << 16).decode("utf-8")
    finally:
        os.close(fd)


def parse(text):
    head, _, body = text.partition("\n\n")
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    return fields["From"], int(fields["Year"]), body


def main():
    writers = collections.Counter()
    decades = collections.Counter()
    words = 0
    for name in sorted(os.listdir(FOLDER)):
        writer, year, body = parse(read_file(f"{FOLDER}/{name}"))
        writers[writer] += 1
        decades[year // 10 * 10] += 1
        words += len(body.split())
    for writer, n in writers.most_common(3):
        print(f"{writer:10} {n}")
    for decade, n in sorted(decades.items()):
        print(f"{decade}s {n}")
    print(sum(writers.values()), "letters,", words, "words")


if __name__ == "__main__":
    main()
