"""Makes thirty names absolute, one by one."""

import os.path

paths = [os.path.abspath(f"source/{number}.c") for number in range(30)]
print(sum(os.path.isabs(path) for path in paths), "paths")
