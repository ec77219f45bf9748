"""Moves the barley of three farms on by a week: every record of fixed width changes."""
import os
from dataclasses import dataclass

RECORD = 35
FARMS = ('north', 'south', 'mill')
RAIN = {'north': 14, 'south': 9, 'mill': 11}


@dataclass
class Field:
    name: str
    height: int
    days: int
    state: str

    @classmethod
    def parse(cls, record):
        words = record.decode().split()
        return cls(words[0], int(words[1]), int(words[3]), words[5])

    def grow(self, rain):
        self.days += 7
        if self.state == 'growing':
            self.height += rain
        if self.days > 180:
            self.state = 'ripe'

    def record(self):
        line = f'{self.name} {self.height:4d} mm {self.days:3d} days {self.state:8s}\n'
        return line.encode()


def store(path, data):
    with open(path, 'r+b') as f:
        f.write(data)
        f.flush()
        os.fsync(f.fileno())


def main():
    for farm in FARMS:
        path = farm + '.dat'
        with open(path, 'rb') as f:
            fields = [Field.parse(r) for r in iter(lambda: f.read(RECORD), b'')]
        for field in fields:
            field.grow(RAIN[farm])
        store(path, b''.join(field.record() for field in fields))
        ripe = sum(field.state == 'ripe' for field in fields)
        print(f'{farm}: {len(fields)} fields, {ripe} ripe')


if __name__ == '__main__':
    main()
