with open("book.txt", "w") as f:
    for i in range(150):
        f.write(f"the quick fox{i % 12} jumps over dog{i % 9} and chapter{i // 10}\n")
