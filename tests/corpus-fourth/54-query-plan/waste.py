"""Plans the queries of a report: the order in which tables are joined, smallest first."""
import json
import os

os.mkdir("plans")
costs = []
for q in range(25):
    tables = {f"t{i}": (q * 37 + i * 113) % 900 + 1 for i in range(12)}
    order = sorted(tables, key=tables.get)
    cost = sum((12 - i) * tables[t] for i, t in enumerate(order))
    with open(f"plans/q{q}.json", "w") as f:
        json.dump({"order": order, "tables": tables, "cost": cost}, f, indent=1)
    costs.append(cost)
for q in range(25):
    os.unlink(f"plans/q{q}.json")
os.rmdir("plans")
print(len(costs), "queries, dearest", max(costs))
