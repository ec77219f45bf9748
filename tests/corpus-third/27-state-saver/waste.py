"""Mail poller: keeps the last cursor in state.json."""
import json
import os


class State:
    def __init__(self, path):
        self.path = path
        with open(path) as f:
            self.data = json.load(f)

    def save(self):
        tmp = self.path + ".tmp"
        with open(tmp, "w") as f:
            json.dump(self.data, f)
        os.replace(tmp, self.path)


def poll(cursor):
    return ["msg-%d" % i for i in range(cursor, cursor + 7)]


state = State("state.json")
for _ in range(5):
    new = poll(state.data["cursor"])
    state.data["seen"] = new[-3:]
    state.data["cursor"] += len(new)
    state.save()
print(open("state.json").read())
