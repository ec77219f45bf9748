"""Minify pages in two passes."""
import os
import re


class Minifier:
    def __init__(self):
        self.saved = 0

    def comments(self, text):
        return re.sub(r"<!--.*?-->", "", text, flags=re.S)

    def spaces(self, text):
        return re.sub(r"\s+", " ", text)

    def run(self, path):
        with open(path) as f:
            text = f.read()
        pass1 = self.comments(text)
        scratch = os.path.join("scratch", os.path.basename(path) + ".pass1")
        with open(scratch, "w") as f:
            f.write(pass1)
        pass2 = self.spaces(pass1)
        with open(path + ".min", "w") as f:
            f.write(pass2)
        os.remove(scratch)
        self.saved += len(text) - len(pass2)


m = Minifier()
for i in range(1, 41):
    m.run("pages/%d.html" % i)
print(m.saved, "characters saved")
