# Goes to each directory, reads a file by its name, and goes back.
import os

total = 0
for number in range(1, 21):
    os.chdir(f"packages/{number}")
    file = os.open("manifest", os.O_RDONLY)
    total += len(os.read(file, 100))
    os.close(file)
    os.chdir("../..")
print("bytes", total)
