with open("transfers.txt", "w") as f:
    for i in range(60):
        f.write(f"acct{i % 7} acct{i % 5 + 10} {i * 13 + 1}\n")
