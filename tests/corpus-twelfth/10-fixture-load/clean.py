"""Load test fixtures into a fresh database before a test session."""
import json
import os
import sqlite3
import sys

SCHEMA = """
CREATE TABLE user (id INTEGER PRIMARY KEY, name TEXT NOT NULL, weight INTEGER);
CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT NOT NULL, weight INTEGER);
CREATE TABLE ticket (id INTEGER PRIMARY KEY, name TEXT NOT NULL, weight INTEGER);
"""
MODELS = ("user", "team", "ticket")


class Session:
    """A thin mapper over one database file."""

    def __init__(self, path):
        for suffix in ("", "-journal"):
            if os.path.exists(path + suffix):
                os.unlink(path + suffix)
        self.db = sqlite3.connect(path, isolation_level=None)
        self.db.executescript("BEGIN;" + SCHEMA + "COMMIT;")

    def save(self, model, ident, fields):
        if model not in MODELS:
            raise ValueError(f"unknown model {model}")
        columns = ", ".join(fields)
        marks = ", ".join("?" for _ in fields)
        self.db.execute(
            f"INSERT INTO {model} (id, {columns}) VALUES (?, {marks})",
            (ident, *fields.values()),
        )

    def summary(self):
        parts = []
        for model in MODELS:
            n, w = self.db.execute(f"SELECT count(*), sum(weight) FROM {model}").fetchone()
            parts.append(f"{model}={n}/{w}")
        return " ".join(parts)

    def close(self):
        self.db.close()


def load(session, path):
    with open(path, encoding="utf-8") as f:
        rows = json.load(f)
    session.db.execute("BEGIN")
    for row in rows:
        session.save(row["model"], row["id"], row["fields"])
    session.db.execute("COMMIT")
    return len(rows)


def main():
    session = Session(sys.argv[2])
    n = load(session, sys.argv[1])
    print(f"{n} fixtures: {session.summary()}")
    session.close()


if __name__ == "__main__":
    main()
