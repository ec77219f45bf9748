"""Makes thirty names absolute by putting them below the directory, asked for once."""

import os

here = os.getcwd()
paths = [os.path.normpath(os.path.join(here, f"source/{number}.c")) for number in range(30)]
print(sum(os.path.isabs(path) for path in paths), "paths")
