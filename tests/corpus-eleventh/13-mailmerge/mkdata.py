with open("letter.txt", "w") as f:
    f.write("Dear $name,\n\nplease pay invoice $invoice.\n" + "Terms and conditions apply.\n" * 30)
with open("customers.csv", "w") as f:
    f.write("name,email,invoice\n")
    for i in range(400):
        f.write(f"Customer {i},c{i}@example.org,INV{i:05d}\n")
