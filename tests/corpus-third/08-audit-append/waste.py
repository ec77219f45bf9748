"""Append one audit line for each user whose rights changed."""
import fcntl
import os

CHANGES = {"user%d" % i: ("grant", "revoke")[i % 2] for i in range(40)}


def audit_fd(user):
    fd = os.open("audit/%s.log" % user, os.O_WRONLY | os.O_CREAT, 0o640)
    flags = fcntl.fcntl(fd, fcntl.F_GETFL)
    fcntl.fcntl(fd, fcntl.F_SETFL, flags | os.O_APPEND)
    return fd


def main():
    written = 0
    for user, what in CHANGES.items():
        fd = audit_fd(user)
        try:
            written += os.write(fd, ("%s %s\n" % (what, user)).encode())
        finally:
            os.close(fd)
    with open("audit/user7.log") as f:
        print(written, f.read().split())


main()
