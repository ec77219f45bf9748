"""The lines on standard input: their grammar. What they cause stands in
session.py.
"""

# Room for a count and its pre-roll to be added.
MAX_COUNT = 2**62 - 1


class NonsenseError(Exception):
    """The line makes no sense."""


class Order:
    """One order to perform operations."""

    __slots__ = ("method", "count", "preroll")

    def __init__(self, method, count, preroll):
        self.method = method
        self.count = count
        self.preroll = preroll


def parse_batch(words, methods):
    """Reads the words after `batch`."""
    if not words:
        raise NonsenseError
    order = Order(0, parse_number(words[0]), 0)
    for word in words[1:]:
        key, _, value = word.partition("=")
        if key == "method":
            order.method = parse_method(value, methods)
        elif key == "preroll":
            order.preroll = parse_number(value)
        else:
            raise NonsenseError
    return order


def parse_schedule(words, methods):
    """Reads the words after `blocks`, each K:N:P."""
    if not words:
        raise NonsenseError
    schedule = []
    for word in words:
        parts = word.split(":")
        if len(parts) != 3:
            raise NonsenseError
        schedule.append(Order(parse_method(parts[0], methods), parse_number(parts[1]), parse_number(parts[2])))
    return schedule


def parse_verify(words, methods):
    """Reads the words after `verify`."""
    if not words:
        return 0
    key, _, value = words[0].partition("=")
    if len(words) > 1 or key != "method":
        raise NonsenseError
    return parse_method(value, methods)


def parse_method(text, methods):
    number = parse_number(text)
    if number >= methods:
        raise NonsenseError
    return number


def parse_number(text):
    if not (text.isascii() and text.isdigit()) or len(text) > 19 or int(text) > MAX_COUNT:
        raise NonsenseError
    return int(text)
