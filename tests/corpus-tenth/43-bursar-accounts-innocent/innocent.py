"""The bursar audits the accounts of a college; one auditor at a time has an account in hand."""
import fcntl
import os
from contextlib import contextmanager


class Taken(Exception):
    """Another auditor has the account."""


@contextmanager
def in_hand(path):
    fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    try:
        try:
            fcntl.lockf(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Taken(path) from None
        yield fd
    finally:
        os.close(fd)


def audit(fd):
    balance = 0
    lowest = 0
    for line in os.read(fd, 65536).decode().splitlines():
        _, amount = line.split()
        balance += int(amount)
        lowest = min(lowest, balance)
    return balance, lowest


def main():
    total = 0
    audited = taken = 0
    overdrawn = []
    for name in sorted(os.listdir("accounts")):
        try:
            with in_hand(os.path.join("accounts", name)) as fd:
                balance, lowest = audit(fd)
        except Taken:
            taken += 1
            continue
        audited += 1
        total += balance
        if lowest < 0:
            overdrawn.append(f"{name} {lowest}")

    print(f"{audited} accounts audited, {taken} in other hands, balance {total}")
    print("overdrawn:", ", ".join(overdrawn) or "none")


if __name__ == "__main__":
    main()
