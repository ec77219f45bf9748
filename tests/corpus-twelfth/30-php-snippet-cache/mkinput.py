#!/usr/bin/env python3
"""Makes products.json and row.tmpl."""
import json
with open("products.json", "w") as f:
    json.dump([{"id": i, "name": f"Thing {i}", "price": 100 + i * 7 % 900, "stock": i % 5} for i in range(160)], f)
with open("row.tmpl", "w") as f:
    f.write('<tr id="p{id}"><td>{name}</td><td>{price}</td><td>{stock}</td></tr>\n')
