import os
os.makedirs("assets", exist_ok=True)
with open("manifest.txt", "w") as m:
    m.write("# order matters\n")
    for i in range(450):
        m.write(f"part{i:03d}.js\n")
        if i % 50 != 7:
            with open(f"assets/part{i:03d}.js", "w") as f:
                f.write(f"define('part{i}', function () {{ return {i}; }});\n" * (3 + i % 9))
