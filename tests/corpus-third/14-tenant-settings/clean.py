"""Queue worker that accounts jobs against the quota of their tenants."""
import json
import pathlib
from functools import lru_cache

HERE = pathlib.Path(__file__).resolve().parent


@lru_cache(maxsize=None)
def settings():
    return json.loads((HERE / "conf" / "tenants.json").read_text())


class Worker:
    def __init__(self):
        self.used = {}
        self.refused = 0

    def handle(self, tenant):
        quota = settings()[tenant]["quota"]
        n = self.used.get(tenant, 0)
        if n >= quota:
            self.refused += 1
        else:
            self.used[tenant] = n + 1


w = Worker()
for i in range(100):
    w.handle(("acme", "bolt", "core")[i % 3])
print(w.used, "refused", w.refused)
