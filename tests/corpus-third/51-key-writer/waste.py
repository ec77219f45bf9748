"""Issue client keys."""
import hashlib
import os


class Issuer:
    def __init__(self, folder, seed):
        self.folder = folder
        self.seed = seed
        self.issued = 0

    def issue(self, name):
        path = os.path.join(self.folder, name + ".key")
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(fd, "w") as f:
            f.write(hashlib.sha256((self.seed + name).encode()).hexdigest() + "\n")
        os.chmod(path, 0o600)
        self.issued += 1
        return path


issuer = Issuer("keys", "not so secret")
paths = [issuer.issue("client%d" % i) for i in range(25)]
print(issuer.issued, oct(os.stat(paths[3]).st_mode & 0o777), open(paths[3]).read()[:8])
