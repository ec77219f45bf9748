# Between the looks it makes files beside the one that it looks at.
import os

packaged = 0
for module in range(60):
    packaged += os.path.exists("package/__init__.py")
    os.close(os.open(f"package/m{module}.py", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644))
print("packaged", packaged)
