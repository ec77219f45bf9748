import os
os.makedirs("jobs", exist_ok=True)
for i in range(320):
    with open(f"jobs/{i*7919%100000:05d}.job", "w") as f:
        f.write(f"to: user{i%41}@example.org\nsize: {i*37%5000}\n\nhello {i}\n")
