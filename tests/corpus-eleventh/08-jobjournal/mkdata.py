with open("batch.txt", "w") as f:
    for i in range(700):
        f.write(f"job {i % 25} {'finished' if i % 3 else 'started'} worker{i % 4}\n")
