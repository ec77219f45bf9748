import os


def copy(name):
    file = os.open(name, os.O_RDONLY)
    os.read(file, 64)
    os.close(file)


def look(name):
    # before
    os.stat(name)
    copy(name)
    # each file


def keep():
    out = os.open("out", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.write(out, b"x")
    # out
    os.close(out)


for number in range(1, 5):
    look(f"data/{number}.txt")
keep()
copy("moved.dat")
