"""Changes passwords in a book of passwords."""


class Vault:
    def __init__(self, path):
        self.path = path
        with open(path) as f:
            self.entries = dict(line.rstrip("\n").split(":", 1) for line in f)

    def change(self, site, user, secret):
        if site not in self.entries:
            raise KeyError(site)
        self.entries[site] = f"{user}:{secret}"

    def save(self):
        with open(self.path, "w") as f:
            for site, entry in self.entries.items():
                f.write(f"{site}:{entry}\n")


vault = Vault("vault.db")
for n in range(0, 40, 8):
    vault.change(f"site{n}.example", f"user{n}", f"changed-{n}")
    vault.save()
print(len(Vault("vault.db").entries), Vault("vault.db").entries["site16.example"])
