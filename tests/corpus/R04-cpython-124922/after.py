# With a size of the buffer there is nothing to ask.
total = 0
for number in range(1, 21):
    with open(f"data/{number}", "rb", buffering=4096) as file:
        total += len(file.read(100))
print("bytes", total)
