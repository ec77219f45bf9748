with open("raw.log", "w") as f:
    for i in range(900):
        f.write(f"{1700000000 + i * 977} {500 if i % 90 == 0 else 200} {i * 13 % 9000} /p/{i % 40}.html\n")
