"""Summary of the nest boxes of a wood: the rows go through sort(1) as they may be many."""
import csv
import os
import subprocess
import tempfile

FIELDS = ('box', 'eggs', 'fledged')


def rows(path):
    with open(path, newline='') as f:
        for line in csv.reader(f, delimiter=';'):
            row = dict(zip(FIELDS, line))
            yield row['box'], int(row['eggs']), int(row['fledged'])


def open_work():
    path = os.path.join(tempfile.gettempdir(), 'wren-nests.txt')
    return path, open(path, 'w')


def sorted_by_success(path):
    env = dict(os.environ, LC_ALL='C')
    out = subprocess.run(['sort', '-k1,1nr', '-k2,2', path], env=env,
                         capture_output=True, text=True, check=True)
    for line in out.stdout.splitlines():
        share, box = line.split()
        yield int(share), box


def main():
    path, work = open_work()
    empty = 0
    try:
        with work:
            for box, eggs, fledged in rows('nests.csv'):
                if not eggs:
                    empty += 1
                    continue
                work.write(f'{100 * min(fledged, eggs) // eggs} {box}\n')
        best = list(sorted_by_success(path))
    finally:
        os.unlink(path)
    with open('summary.csv', 'w') as out:
        for share, box in best:
            out.write(f'{box};{share}\n')
    for share, box in best[:3]:
        print(f'{box}: {share} %')
    print(f'{len(best)} used, {empty} empty')


if __name__ == '__main__':
    main()
