# io.FileIO asks with fstat what it opened, and readall asks again for the size.
import io

total = 0
for number in range(1, 21):
    with io.FileIO(f"data/{number}") as file:
        total += len(file.readall())
print("bytes", total)
