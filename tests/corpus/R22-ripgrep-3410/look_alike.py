# A few directories are no habit.
import os

files = 0
for number in range(1, 4):
    files += len(os.listdir(f"tree/{number}"))
    files += os.path.exists(f"tree/{number}/.ignore")
print("files", files)
