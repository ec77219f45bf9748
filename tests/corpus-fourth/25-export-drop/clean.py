"""Exports the tables of a shop, one file each."""
import os


def rows(table):
    for i in range(400):
        yield f"{table};{i};{i * (table + 3) % 977}\n"


total = 0
for table in range(25):
    with open(f"export/table{table:02d}.csv", "w") as out:
        for row in rows(table):
            total += out.write(row)
        out.flush()
print(total, "characters,", len(os.listdir("export")), "tables")
