import json
with open("model.json", "w") as f:
    json.dump({"weights": {f"w{i}": i % 17 for i in range(60000)}}, f, indent=0)
with open("queries.txt", "w") as f:
    for i in range(2000):
        f.write(" ".join(f"w{(i * 31 + k * 977) % 60000}" for k in range(6)) + "\n")
