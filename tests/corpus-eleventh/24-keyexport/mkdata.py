with open("accounts.txt", "w") as f:
    for i in range(350):
        f.write(f"acct{i:04d}:{i * 17}\n")
    f.write("# end\n")
