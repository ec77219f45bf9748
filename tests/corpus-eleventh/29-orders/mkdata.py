with open("catalog.csv", "w") as f:
    for i in range(1500):
        f.write(f"SKU{i:05d},Article {i},{i * 7 + 99}\n")
with open("orders.txt", "w") as f:
    for i in range(260):
        f.write(f"SKU{i * 37 % 1520:05d}\n")
