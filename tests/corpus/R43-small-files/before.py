"""Copies eight files through buffers."""
import shutil

for number in range(8):
    with open(f"page{number}", "rb") as source, open(f"copy{number}", "wb") as copy:
        shutil.copyfileobj(source, copy, 1000)
print("8 copies")
