# Each module asks for itself; the answer is the same sixty times.
import os

packaged = 0
for module in range(60):
    packaged += os.path.exists("package/__init__.py")
print("packaged", packaged)
