"""Loads `config`: FORMAT WAY. Says in JSON which layer named the error."""

import json
import sys


def load(form, way):
    with open("config", "rb") as file:
        if form == "JSON" and way == "text":
            with open("config", encoding="utf-8") as text:
                return json.load(text)
        if form == "JSON":
            return json.loads(file.read())
        if form == "TOML":
            import tomllib

            return tomllib.load(file)
        import yaml

        return yaml.safe_load(file)


def layer_of(error):
    if isinstance(error, OSError):
        # Python opens no directory: its open asks for the kind of file.
        return "open"
    named_by_reader = type(error).__name__ == "ReaderError"
    return "decode" if isinstance(error, UnicodeError) or named_by_reader else "parse"


def main():
    try:
        loaded = load(*sys.argv[1:])
    except ImportError as error:
        sys.exit(str(error))
    except Exception as error:
        words = " ".join(str(error).split())
        return {"layer": layer_of(error), "text": words, "bytes": None, "entries": 0}
    entries = len(loaded) if isinstance(loaded, (dict, list)) else 0
    return {"layer": "nobody", "text": ascii(loaded)[:60], "bytes": None, "entries": entries}


print(json.dumps(main()))
