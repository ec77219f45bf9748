"""Room for files that stay open."""

import os

from failure import UnsupportedError

try:
    import resource
except ImportError:  # It is a module of its own, which small systems leave out.
    resource = None


def raise_limit():
    """Raises this process's limit as far as it may."""
    if resource is None:
        return
    with open("/proc/sys/fs/nr_open") as file:
        most = int(file.read())
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for limit in (most, hard):
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, max(limit, hard)))
            return
        except (ValueError, OSError):
            continue  # More than the hard limit takes a privilege.


def check_room(count):
    """Raises UnsupportedError where so many files cannot be open at once."""
    limit = os.sysconf("SC_OPEN_MAX")
    # The listing's own descriptor is among them, and closed afterward.
    room = limit - len(os.listdir("/proc/self/fd")) + 1
    if count > room:
        raise UnsupportedError(f"{count} files open at once, where the limit leaves room for {room}")
