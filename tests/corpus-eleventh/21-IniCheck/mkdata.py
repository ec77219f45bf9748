with open("settings.ini", "w") as f:
    for s in range(20):
        f.write(f"[section{s}]\n; comment\n")
        for k in range(25):
            f.write(f"key{k % 23} = value number {k * s}\n")
