# calls: ioctl
# patch: isatty
# Python asks of each file that it opens whether it is a terminal; the patch takes that call away.
for turn in range(6000):
    with open("app.conf") as file:
        file.read()
