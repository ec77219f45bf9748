import json
rows = []
for i in range(60):
    rows.append({"model": ["user", "team", "ticket"][i % 3], "id": i, "fields": {"name": f"n{i}", "weight": i * 7 % 31}})
json.dump(rows, open("fixtures.json", "w"), indent=1)
