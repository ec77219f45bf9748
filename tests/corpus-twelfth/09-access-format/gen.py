with open("access.bin.txt", "w") as f:
    for i in range(2500):
        f.write(f"{1767225600 + i * 61} {'GET' if i % 5 else 'POST'} /item/{i % 311} {200 if i % 41 else 500} {i * 53 % 9000}\n")
