"""Sets thirty options of a project."""
import os

options = {}


def save():
    new = os.open("options.new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    os.write(new, repr(options).encode())
    os.close(new)
    os.replace("options.new", "options")


for number in range(30):
    options[f"option {number}"] = number
    save()
print(len(options), "options")
