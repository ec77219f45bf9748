# The listing tells whether .ignore is there; it is looked for all the same.
import os

files = 0
for number in range(1, 21):
    files += len(os.listdir(f"tree/{number}"))
    files += os.path.exists(f"tree/{number}/.ignore")
print("files", files)
