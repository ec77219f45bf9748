import os
os.makedirs("logs", exist_ok=True)
for s in ("edge", "billing", "search"):
    with open(f"logs/{s}.log", "w") as f:
        for i in range(42000):
            f.write(f"2026-03-{1+i//3000:02d}T{i//60%24:02d}:{i%60:02d}:00Z {s} req={i:06d} status={200 if i%97 else 502} took={(i*37)%911}ms upstream=10.0.{i%7}.{i%250}\n")
