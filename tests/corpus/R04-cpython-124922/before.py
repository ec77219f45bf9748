# The default buffering makes open() ask whether the file is a terminal, to buffer by lines then.
total = 0
for number in range(1, 21):
    with open(f"data/{number}", "rb") as file:
        total += len(file.read(100))
print("bytes", total)
