"""testrun: a small test runner that shows its state in a status file."""
import sys
import traceback


class Status:
    def __init__(self, path):
        self.path = path
        self.shown = None

    def show(self, text):
        if text == self.shown:
            return
        with open(self.path, "w") as f:
            f.write(text)
        self.shown = text


class Runner:
    def __init__(self, status):
        self.status = status
        self.passed = 0
        self.failed = []

    def run(self, suite, cases):
        for name, case in cases:
            self.status.show(f"state: running\nsuite: {suite}\nfailures: {len(self.failed)}\n")
            try:
                case()
            except AssertionError:
                self.failed.append((suite, name, traceback.format_exc(limit=0)))
            else:
                self.passed += 1


def arithmetic():
    for i in range(250):
        def case(i=i):
            assert i * i >= i
        yield f"square_{i}", case


def text():
    for i in range(250):
        def case(i=i):
            assert str(i)[::-1][::-1] == str(i) and i != 120
        yield f"reverse_{i}", case


def main():
    runner = Runner(Status("status.txt"))
    runner.run("arithmetic", arithmetic())
    runner.run("text", text())
    runner.status.show(f"state: done\nfailures: {len(runner.failed)}\n")
    print(f"{runner.passed} passed, {len(runner.failed)} failed")
    for suite, name, _ in runner.failed:
        print(f"  {suite}.{name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
