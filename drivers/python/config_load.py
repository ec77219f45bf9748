"""config-load: read and parse configuration files, all of them in one operation."""

import importlib.machinery
import json
import mmap
import pathlib
import re
import site
import sys

try:
    import tomllib
except ImportError:  # It came with Python 3.11.
    tomllib = None


def open_load(paths, job):
    for path in paths:
        with open(path, "rb") as file:
            config = job.load(file)
        # The size as given: asking for it would be another call.
        job.take_config(job.size, config)


def path_read_bytes_loads(paths, job):
    for path in paths:
        data = pathlib.Path(path).read_bytes()
        job.take_config(len(data), json.loads(data))


def map_loads(paths, job):
    for path in paths:
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapping:
            # json takes no mapping, so this is a copy.
            job.take_config(len(mapping), json.loads(mapping[:]))


def loader(kind):
    """The function that parses an open file of this format, or None and why."""
    if kind == "json":
        return json.load, None
    if kind == "toml":
        return (tomllib.load, None) if tomllib else (None, "tomllib came with Python 3.11")
    return yaml_loader()


def yaml_loader():
    # The driver runs without site packages (see driver.py); PyYAML is one of them.
    folders = site.getsitepackages()
    if importlib.machinery.PathFinder.find_spec("yaml", folders) is None:
        return None, f"PyYAML is not installed for {sys.executable}"
    sys.path += [folder for folder in folders if folder not in sys.path]
    import yaml

    def safe_load(file):
        try:
            return yaml.safe_load(file)
        except yaml.YAMLError as error:
            raise ValueError(error) from None

    return safe_load, None


NUMBER = re.compile(rb"""["']?\b(?:port|open|read)\b["']?\s*[:=]\s*(\d+)""")


def numbers_in(data):
    """The numbers whose sum is the answer, without a parser: null knows formats
    that this Python has none for.
    """
    return sum(map(int, NUMBER.findall(data)))
