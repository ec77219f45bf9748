"""Makes a first draft of three tables, and puts better ones in their place before anybody knows of them."""
import os


def write(path, text):
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    os.write(file, text)
    os.close(file)


for name in ("four", "five", "six"):
    write(name, b"draft\n")
    write(name + ".new", b"table\n")
    os.unlink(name)
    os.rename(name + ".new", name)
print("published 3")
