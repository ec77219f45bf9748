"""Change single preferences, keeping the file valid at any time."""
import os


class Prefs:
    def __init__(self, folder):
        self.folder = folder
        self.path = os.path.join(folder, "prefs.toml")

    def set(self, key, value):
        tmp = os.path.join(self.folder, ".prefs.tmp")
        with open(self.path) as old, open(tmp, "w") as new:
            found = False
            for line in old:
                if line.split("=")[0].strip() == key:
                    line = "%s = %s\n" % (key, value)
                    found = True
                new.write(line)
            if not found:
                new.write("%s = %s\n" % (key, value))
            new.flush()
            os.fsync(new.fileno())
        os.rename(tmp, self.path)
        d = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(d)
        finally:
            os.close(d)


p = Prefs("cfg")
p.set("font", 12)
p.set("tabs", 4)
p.set("theme", '"light"')
print(open(p.path).read().replace("\n", "; "))
