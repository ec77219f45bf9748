"""Adds thirty rows to a table that others add to as well."""
import fcntl
import os

lock = os.open("lock", os.O_WRONLY)
table = os.open("table", os.O_WRONLY | os.O_APPEND)
rows = b"".join(b"%0200d\n" % row for row in range(30))
fcntl.lockf(lock, fcntl.LOCK_EX)
os.write(table, rows)
fcntl.lockf(lock, fcntl.LOCK_UN)
print("30 rows")
