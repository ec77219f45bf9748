"""Gives the reels of a year the names of the new catalogue."""
import os
import re

YEAR = 'collection/folk/north/films/reels/1978'
OLD = re.compile(r'REEL_(\d+)\.DAT$')


def new_name(number):
    side = 'ab'[number % 2]
    return f'f1978-{(number + 1) // 2:03d}{side}.dat'


def rename_all(fd):
    done = {}
    for name in sorted(os.listdir(fd)):
        match = OLD.match(name)
        if not match:
            continue
        new = new_name(int(match.group(1)))
        os.rename(os.path.join(YEAR, name), os.path.join(YEAR, new))
        done[new] = name
    return done


def main():
    fd = os.open(YEAR, os.O_RDONLY | os.O_DIRECTORY)
    try:
        done = rename_all(fd)
        os.fsync(fd)
    finally:
        os.close(fd)
    with open('catalogue.txt', 'w') as out:
        for new in sorted(done):
            out.write(f'{new} was {done[new]}\n')
    first = min(done)
    print(f'{len(done)} reels renamed, first {first} was {done[first]}')


main()
