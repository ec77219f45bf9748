import os
os.makedirs("ws/node_modules/@org", exist_ok=True)
os.makedirs("ws/apps", exist_ok=True)
for i in range(12):
    p = f"ws/packages/group{i % 3}/lib{i}/dist"
    os.makedirs(p, exist_ok=True)
    open(f"{p}/index.js", "w").write("module.exports = 1;\n")
    for link, to in ((f"ws/node_modules/@org/lib{i}", f"../../linked/lib{i}"), (f"ws/linked/lib{i}", f"../packages/group{i % 3}/lib{i}/dist")):
        os.makedirs(os.path.dirname(link), exist_ok=True)
        if not os.path.islink(link):
            os.symlink(to, link)
for a in range(60):
    with open(f"ws/apps/app{a:02d}.js", "w") as f:
        for k in range(6):
            f.write(f"const l{k} = require('@org/lib{(a * 5 + k * 7) % 12}');\n")
