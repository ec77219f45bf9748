"""Write an index page into each album."""
import contextlib
import os


@contextlib.contextmanager
def inside(path):
    old = os.getcwd()
    os.chdir(path)
    try:
        yield
    finally:
        os.chdir(old)


def page(title, names):
    items = "".join('<img src="%s">' % n for n in sorted(names))
    return "<h1>%s</h1>%s\n" % (title, items)


total = 0
for album in sorted(os.listdir("albums")):
    with inside(os.path.join("albums", album)):
        text = page(album, os.listdir("."))
        with open("index.html", "w") as f:
            total += f.write(text)
print(total, "characters")
