# It asks again once it has the lock: others may have written until then.
import fcntl
import os

total = 0
for number in range(1, 21):
    file = os.open(f"data/{number}", os.O_RDONLY)
    before = os.fstat(file)
    fcntl.flock(file, fcntl.LOCK_EX)
    total += os.fstat(file).st_size == before.st_size
    os.close(file)
print("unchanged", total)
