"""What comment.sh needs of JSON: bodies and answers of the REST API.

comment.py body FILE [from-a-fork]  a comment's body, with the marker, short enough
comment.py find FILE AUTHOR         id of AUTHOR's comment with the marker, `more` pages, or `last`
comment.py head FILE                the head commit of a pull request
comment.py message FILE             what a refusal says, on one line
"""

import json
import sys

MARKER = "<!-- fathom ci -->"
# A comment holds 65,536 characters.
LONGEST = 60_000
PER_PAGE = 100


def body(path, origin=""):
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read().replace("\0", "\N{REPLACEMENT CHARACTER}")
    text = text.replace(MARKER, "").strip()
    if len(text) > LONGEST:
        text = text[:LONGEST].rsplit("\n", 1)[0]
        if sum(line.startswith("```") for line in text.splitlines()) % 2:
            text += "\n```"
        text += "\n\n**Cut here**: a comment holds no more; the whole is in the job's summary."
    if origin:
        text = "*Written by the run of a fork's code, which could write anything here:*\n\n" + text
    return json.dumps({"body": f"{MARKER}\n{text}\n"})


def find(path, author):
    with open(path, encoding="utf-8") as file:
        comments = json.load(file)
    if not isinstance(comments, list):
        raise TypeError("not a list")
    for comment in comments:
        # Others may quote the marker; their comments are theirs.
        if MARKER in (comment["body"] or "") and (comment["user"] or {}).get("login") == author:
            return str(int(comment["id"]))
    return "more" if len(comments) == PER_PAGE else "last"


def head(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)["head"]["sha"]


def message(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            answer = json.load(file)
        words = str(answer["message"])
    except (OSError, ValueError, KeyError, TypeError):
        return "no message"
    return "".join(c if c.isprintable() else " " for c in words)[:300]


if __name__ == "__main__":
    try:
        print({"body": body, "find": find, "head": head, "message": message}[sys.argv[1]](*sys.argv[2:]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        sys.exit(f"error: {sys.argv[2]}: {type(error).__name__}: {error}")
