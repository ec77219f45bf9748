"""Goes through the lamp lighters' sheets; a watchman thread writes the streets that need a repair."""
import queue
import threading

STREETS = 26


class Watchman(threading.Thread):
    def __init__(self, path):
        super().__init__()
        self.path = path
        self.calls = queue.Queue()

    def run(self):
        with open(self.path, 'w') as out:
            while (call := self.calls.get()) is not None:
                street, lamps = call
                out.write(f'{street}: {", ".join(lamps)}\n')

    def stop(self):
        self.calls.put(None)
        self.join()


def sheet(path):
    with open(path) as f:
        return [line.split() for line in f]


def main():
    watchman = Watchman('watch.txt')
    watchman.start()
    lit = minutes = repairs = 0
    for number in range(1, STREETS + 1):
        broken = []
        for lamp, state, late in sheet(f'streets/street{number}.txt'):
            if state == 'broken':
                broken.append(lamp)
            else:
                lit += 1
                minutes += int(late)
        if broken:
            repairs += len(broken)
            watchman.calls.put((f'street {number}', broken))
    watchman.stop()
    print(f'{lit} lamps lit, {minutes // lit} min late on average')
    print(f'{repairs} to repair')


if __name__ == '__main__':
    main()
