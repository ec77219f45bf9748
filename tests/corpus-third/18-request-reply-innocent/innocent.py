"""Spell checker client: one word at a time to an ispell-like server."""
import subprocess
import sys

SERVER = """
import sys
known = set("the quick brown fox jumps over lazy dog".split())
for line in iter(sys.stdin.readline, ""):
    w = line.strip()
    print("*" if w in known else "& " + w, flush=True)
"""


class Speller:
    def __init__(self):
        self.p = subprocess.Popen([sys.executable, "-I", "-S", "-c", SERVER],
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def check(self, word):
        self.p.stdin.write(word + "\n")
        self.p.stdin.flush()
        return self.p.stdout.readline().startswith("*")

    def close(self):
        self.p.stdin.close()
        return self.p.wait()


s = Speller()
text = "the quikc brown fox jmups over the lazy dog and the lasy cat".split()
wrong = [w for w in text if not s.check(w)]
print(s.close(), wrong)
