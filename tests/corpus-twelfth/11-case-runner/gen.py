import json
cases = []
for i in range(220):
    cases.append({"name": f"case{i:03d}", "op": ["upper", "rev", "count"][i % 3], "text": f"sample text {i} " * (1 + i % 4)})
json.dump(cases, open("cases.json", "w"), indent=1)
