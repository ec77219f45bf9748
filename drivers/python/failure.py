"""Failures: what the caller is told when an operation or the whole run fails."""

import errno

# What a kernel or file system answers that cannot, as opposed to a file that is not there.
REFUSALS = {errno.EINVAL, errno.EOPNOTSUPP, errno.ENODEV, errno.ENOSYS}

# What operations raise. EOFError is this driver's own: the file is shorter than
# it was said to be. ValueError is what mmap says then, RuntimeError what comes of
# a thread that cannot be started.
# KeyError is a configuration without a key that it must have.
OPERATION_ERRORS = (OSError, EOFError, ValueError, KeyError, MemoryError, RuntimeError)


class UnsupportedError(Exception):
    """This machine cannot perform a method."""


def short_write():
    """The error where fewer bytes were written than asked, which on a file means
    that it can grow no more.
    """
    return OSError(errno.ENOSPC, "short write")


def is_refusal(error):
    return isinstance(error, OSError) and error.errno in REFUSALS


def error_line(error, call, path):
    """The answer for a failed operation; call is what it does after opening."""
    # Python names the file in the errors of calls that take a path.
    named = getattr(error, "filename", None) is not None
    # An error that is none of a call's says so itself.
    op = getattr(error, "op", "open" if named else call)
    return f"error op={op} errno={errno_name(error)} path={path}"


def errno_name(error):
    if isinstance(error, OSError):
        return errno.errorcode.get(error.errno, "EIO")
    if isinstance(error, MemoryError):
        return "ENOMEM"
    return "EAGAIN" if isinstance(error, RuntimeError) else "ENODATA"
