"""A store of settings; after each of three changes a whole new file takes the place of the old one."""
import json
import os


def load(path):
    file = os.open(path, os.O_RDONLY)
    text = os.read(file, os.fstat(file).st_size)
    os.close(file)
    return json.loads(text)


def save(path, store):
    file = os.open(path + ".next", os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    os.write(file, json.dumps(store).encode())
    os.fsync(file)
    os.close(file)
    os.rename(path + ".next", path)
    here = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
    os.fsync(here)
    os.close(here)


store = load("store.json")
for key in ("size", "shape", "weight"):
    store[key] = len(store)
    save("store.json", store)
print(len(store), "settings")
