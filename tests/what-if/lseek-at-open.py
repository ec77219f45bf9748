# calls: lseek
# patch: lseek
# Python asks of each file that it opens where it stands; the patch takes these calls away.
for turn in range(6000):
    with open("app.conf") as file:
        file.read()
