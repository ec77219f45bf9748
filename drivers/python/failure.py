"""Failures: what the caller is told when an operation or the whole run fails."""

import errno

# What operations raise. EOFError is this driver's own: the file is shorter than
# it was said to be. ValueError is what mmap says then, RuntimeError what comes of
# a thread that cannot be started, KeyError of a configuration without a key.
OPERATION_ERRORS = (OSError, EOFError, ValueError, KeyError, MemoryError, RuntimeError)


class UnsupportedError(Exception):
    """This machine cannot perform a method."""


def short_write():
    """The error where fewer bytes were written than asked: a file can grow no more."""
    return OSError(errno.ENOSPC, "short write")


def is_refusal(error):
    """What a kernel or file system answers that cannot, as opposed to a file that is not there."""
    return isinstance(error, OSError) and error.errno in (errno.EINVAL, errno.EOPNOTSUPP, errno.ENODEV, errno.ENOSYS)


def error_line(error, call, path):
    """The answer for a failed operation; call is what it does after opening."""
    # Python names the file in the errors of calls that take a path; an error that is none of a call's says so itself.
    named = getattr(error, "filename", None)
    op = getattr(error, "op", "open" if named else call)
    if isinstance(error, OSError):
        name = errno.errorcode.get(error.errno, "EIO")
    elif isinstance(error, MemoryError):
        name = "ENOMEM"
    else:
        name = "EAGAIN" if isinstance(error, RuntimeError) else "ENODATA"
    return f"error op={op} errno={name} path={named or path}"
