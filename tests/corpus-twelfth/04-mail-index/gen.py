with open("folder.idx", "w") as f:
    f.write("#mailidx 3 2026-02-11\n")
    for i in range(900):
        f.write(f"{i*4211} {900+(i*379)%30000} {'SAR-'[i%4]}{'F' if i%11==0 else '-'} user{i%37}@example.org\n")
