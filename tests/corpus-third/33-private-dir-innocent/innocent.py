"""Client that refuses to use a token which others may read (as ssh does)."""
import os
import stat


class TokenError(Exception):
    pass


def token(path):
    st = os.lstat(path)
    if not stat.S_ISREG(st.st_mode):
        raise TokenError("%s is no plain file" % path)
    if st.st_uid != os.getuid() or st.st_mode & 0o077:
        raise TokenError("%s: permissions %o are too open" % (path, st.st_mode & 0o777))
    with open(path) as f:
        return f.read().strip()


def main():
    os.symlink("token", "private/alias")
    results = []
    for name in ("token", "alias"):
        try:
            results.append(token(os.path.join("private", name)))
        except TokenError as e:
            results.append(str(e))
    print("; ".join(results))


main()
