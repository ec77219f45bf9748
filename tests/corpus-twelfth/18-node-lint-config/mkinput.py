#!/usr/bin/env python3
"""Makes project/: packages with nested sources, a few lint settings."""
import json, os
for p in ("core", "web", "cli", "store"):
    for sub in ("", "/io/disk", "/ui/widgets/form"):
        d = f"project/packages/{p}/src/lib{sub}"
        os.makedirs(d, exist_ok=True)
        for i in range(8):
            with open(f"{d}/mod{i}.js", "w") as f:
                for n in range(4 + i):
                    f.write(f"{'var' if (n + i) % 5 == 0 else 'let'} a{n} = {n * i}" + (";" if n % 4 else "") + "\n")
with open("project/.lintrc.json", "w") as f:
    json.dump({"noVar": True, "semi": True}, f)
with open("project/packages/cli/.lintrc.json", "w") as f:
    json.dump({"noVar": False, "semi": True}, f)
