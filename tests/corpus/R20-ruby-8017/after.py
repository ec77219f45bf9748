# The directory's real path is kept.
import os

directory = os.path.realpath("gems/lib")
names = {os.path.basename(os.path.join(directory, str(number))) for number in range(1, 13)}
print("names", len(names))
