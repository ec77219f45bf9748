# The first answer is kept.
import functools
import os


@functools.cache
def is_package(directory):
    return os.path.exists(f"{directory}/__init__.py")


packaged = 0
for module in range(60):
    packaged += is_package("package")
print("packaged", packaged)
