"""Two processes add rows to a table, in turns as they come."""
import fcntl
import os

child = os.fork()
lock = os.open("lock", os.O_WRONLY)
table = os.open("table", os.O_WRONLY | os.O_APPEND)
for row in range(30):
    fcntl.lockf(lock, fcntl.LOCK_EX)
    os.write(table, b"%0200d\n" % row)
    fcntl.lockf(lock, fcntl.LOCK_UN)
if child == 0:
    os._exit(0)
os.waitpid(child, 0)
print("60 rows")
