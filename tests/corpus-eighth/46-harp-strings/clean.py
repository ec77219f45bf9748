"""Keeps the string lists of a hire firm's harps: marks what broke in the last concert."""
import os
from collections import defaultdict

DIR = 'harps'


def broken_strings(path):
    broken = defaultdict(set)
    with open(path) as f:
        for line in f:
            harp, string = map(int, line.split())
            broken[harp].add(string)
    return broken


def mark(line, broken):
    words = line.split()
    if int(words[1]) in broken:
        words[4] = 'broken'
    elif words[4] == 'new':
        words[4] = 'played'
    return words


def update(path, broken):
    worn = 0
    with open(path) as f:
        with open(path + '.new', 'w') as out:
            for line in f:
                words = mark(line, broken)
                worn += words[4] == 'broken'
                print(*words, file=out)
            out.flush()
            os.fsync(out.fileno())
    os.rename(path + '.new', path)
    return worn


def sync_directory(path):
    fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def main():
    broken = broken_strings('broken.txt')
    total = 0
    for harp in range(1, 6):
        worn = update(f'{DIR}/harp{harp}.txt', broken[harp])
        print(f'harp {harp}: {worn} to replace')
        total += worn
    sync_directory(DIR)
    print(f'{total} strings to order')


if __name__ == '__main__':
    main()
