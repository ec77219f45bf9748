"""A store of settings that is saved in place after each of three changes."""
import json
import os


def load(path):
    file = os.open(path, os.O_RDONLY)
    text = os.read(file, os.fstat(file).st_size)
    os.close(file)
    return json.loads(text)


def save(path, store):
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.write(file, json.dumps(store).encode())
    os.close(file)


store = load("store.json")
for key in ("size", "shape", "weight"):
    store[key] = len(store)
    save("store.json", store)
print(len(store), "settings")
