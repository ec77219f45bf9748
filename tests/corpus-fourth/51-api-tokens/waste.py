"""Issues tokens to the services of a cluster."""
import hashlib
import os

issued = []
for n in range(32):
    token = hashlib.sha256(b"cluster-7/%d" % n).hexdigest()
    path = f"tokens/service{n}"
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    os.write(fd, token.encode() + b"\n")
    os.close(fd)
    os.chmod(path, 0o600)
    issued.append(token[:4])
print(len(issued), "tokens", " ".join(issued[:5]))
