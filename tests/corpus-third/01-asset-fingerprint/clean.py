"""Fingerprint the static assets so that the templates can use long cache times."""
import hashlib
import os


class Manifest:
    def __init__(self, base):
        self.base = base
        self.entries = {}

    def add(self, name):
        path = os.path.join(self.base, "assets", name)
        with open(path, "rb", buffering=0) as f:
            data = f.read()
        if not data:
            return
        stem, ext = os.path.splitext(name)
        self.entries[name] = "%s.%s%s" % (stem, hashlib.sha1(data).hexdigest()[:8], ext)


m = Manifest("site")
for n in sorted(os.listdir("site/assets")):
    m.add(n)
print(len(m.entries), m.entries["m3.css"])
