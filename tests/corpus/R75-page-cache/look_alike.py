"""Makes eighty pages, under names that are free."""
import os

for number in range(80):
    path = f"out/{number}.html"
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
    page = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    os.write(page, b"page\n")
    os.close(page)
print("80 pages")
