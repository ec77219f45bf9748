# A character device may be a terminal: asking is the only way to know.
total = 0
for _ in range(20):
    with open("null", "rb") as file:
        total += len(file.read(100))
print("bytes", total)
