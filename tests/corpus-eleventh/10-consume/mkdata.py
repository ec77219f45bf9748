with open("queue.txt", "w") as f:
    for i in range(500):
        f.write(f"{['mail', 'sms', 'push'][i % 3]} to=user{i} body={'x' * (i % 40)}\n")
