"""Makes three names absolute: nobody has to keep the directory for that."""

import os.path

paths = [os.path.abspath(name) for name in ("source", "build", "install")]
print(sum(os.path.isabs(path) for path in paths), "paths")
