"""Has the kernel copy eight files."""
import os

for number in range(8):
    source = os.open(f"page{number}", os.O_RDONLY)
    copy = os.open(f"copy{number}", os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    os.sendfile(copy, source, 0, 12000)
    os.close(source)
    os.close(copy)
print("8 copies")
