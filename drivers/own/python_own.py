"""Functions of a user's file as methods. The file lies beside this one, as own_source.txt; where
it came from stands in own_path.py, made for it.
"""

import errno
import inspect
import os
import sys
import types

from own_path import PATH

KIT = os.path.dirname(os.path.realpath(__file__))


class OwnError(OSError):
    """A function of the user's failed in a way that is no error of the system's."""

    op = "function"


def load():
    """The user's module, which imports what lies beside it and nothing of the driver."""
    with open(os.path.join(KIT, "own_source.txt"), "rb") as file:
        source = file.read()
    module = types.ModuleType(os.path.splitext(os.path.basename(PATH))[0])
    module.__file__ = PATH
    kit = {name: known for name, known in sys.modules.items() if in_kit(known) and name != "__main__"}
    for name in kit:
        del sys.modules[name]
    others = [path for path in sys.path if path != KIT]
    sys.path[:] = [os.path.dirname(PATH)] + others
    sys.modules[module.__name__] = module
    exec(compile(source, PATH, "exec"), module.__dict__)
    sys.path[:] = [KIT] + others + [os.path.dirname(PATH)]
    sys.modules.update(kit)
    return module


def in_kit(module):
    return os.path.dirname(getattr(module, "__file__", None) or "") == KIT


def functions(module):
    """The module's own public functions, in their order, each with the reason why it is no method."""
    for name, value in vars(module).items():
        if name.startswith("_") or not inspect.isfunction(value) or value.__module__ != module.__name__:
            continue
        yield name, value, misfit(value)


def misfit(function):
    if inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function):
        return "is a coroutine or a generator"
    try:
        inspect.signature(function).bind("path")
    except TypeError:
        needed = [
            parameter
            for parameter in inspect.signature(function).parameters.values()
            if parameter.default is parameter.empty and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        ]
        return f"takes {len(needed)} arguments"
    return None


def method_function(function):
    """The function as `read-whole`."""

    def read_whole(path, job):
        try:
            result = function(path)
        except OSError:
            raise
        except BaseException as error:
            raise failure(path, f"{type(error).__name__}: {error}") from None
        deliver(result, path, job)

    return read_whole


def deliver(result, path, job):
    if isinstance(result, (bytes, bytearray, memoryview)):
        job.take(result)
    elif isinstance(result, str):
        # Text of ASCII alone is looked at as it is; other text has to be encoded to be compared.
        if result.isascii():
            job.take_text(result)
        else:
            job.take(result.encode("utf-8", "surrogateescape"))
    elif isinstance(result, int) and not isinstance(result, bool) and 0 <= result < 2**64:
        job.take_matches(0, result)
    else:
        said = repr(result) if isinstance(result, (int, type(None))) else f"a {type(result).__name__}"
        raise failure(path, f"returned {said}, not bytes, text or a count")


def failure(path, words):
    return OwnError(errno.EIO, "failed", f"{path} ({' '.join(words.split())[:200]})")


def own_methods(Method):
    try:
        module = load()
    except BaseException as error:
        print(f"{PATH}: {describe(error)}", file=sys.stderr)
        sys.exit(1)
    return tuple(
        Method(name, f"def {name}{inspect.signature(function)}", call="function",
               unavailable=reason, read_whole=method_function(function))
        for name, function, reason in functions(module)
    )


def describe(error):
    """An error with the line of the user's file that it came of."""
    line = error.lineno if isinstance(error, SyntaxError) else None
    traceback = error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == PATH:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    where = f"line {line}: " if line is not None else ""
    return f"{where}{type(error).__name__}: {error}"
