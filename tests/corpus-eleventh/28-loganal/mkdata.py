with open("service.log", "w") as f:
    for i in range(900):
        f.write(f"{1000 + i} {['INFO', 'WARN', 'DEBUG', 'ERROR'][i % 4]} {['db', 'web', 'mail'][i % 3]}: event number {i}\n")
