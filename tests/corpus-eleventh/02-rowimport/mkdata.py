with open("prices.csv", "w") as f:
    for i in range(150):
        f.write(f"SKU{i:05d},Widget number {i},{i * 1.37 + 2:.2f}\n")
    f.write("broken line\n")
