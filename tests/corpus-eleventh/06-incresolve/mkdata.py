import os
for d in range(10):
    os.makedirs(f"inc/d{d}", exist_ok=True)
for h in range(36):
    with open(f"inc/d{6 + h % 4}/h{h}.h", "w") as f:
        f.write("#pragma once\n")
os.makedirs("src", exist_ok=True)
for s in range(60):
    with open(f"src/s{s:02d}.c", "w") as f:
        for k in range(8):
            f.write(f"#include <h{(s * 5 + k * 3) % 38}.h>\n")
        f.write("int x;\n")
