with open("changed.csv", "w") as f:
    for i in range(400):
        if i % 40 != 20:
            f.write(f"{i},price\n")
