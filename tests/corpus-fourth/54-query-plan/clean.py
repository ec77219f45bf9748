"""Plans the queries of a report: the order in which tables are joined, smallest first."""
costs = []
for q in range(25):
    tables = {f"t{i}": (q * 37 + i * 113) % 900 + 1 for i in range(12)}
    order = sorted(tables, key=tables.get)
    cost = sum((12 - i) * tables[t] for i, t in enumerate(order))
    costs.append(cost)
print(len(costs), "queries, dearest", max(costs))
