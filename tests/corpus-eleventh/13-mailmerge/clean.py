"""mailmerge: writes one letter per customer into an mbox."""
import csv
import email.message
import string
import sys


class Merger:
    def __init__(self, template_path, sender):
        with open(template_path, encoding="utf-8") as f:
            self.template = string.Template(f.read())
        self.sender = sender

    def letter(self, row):
        return self.template.safe_substitute(row)

    def message(self, row):
        m = email.message.EmailMessage()
        m["From"] = self.sender
        m["To"] = row["email"]
        m["Subject"] = f"Your invoice {row['invoice']}"
        m.set_content(self.letter(row))
        return m


def customers(path):
    with open(path, newline="", encoding="utf-8") as f:
        for row in csv.DictReader(f):
            if row["email"]:
                yield row


def main():
    merger = Merger("letter.txt", "billing@example.org")
    count = size = 0
    with open("out.mbox", "wb") as mbox:
        for row in customers("customers.csv"):
            data = merger.message(row).as_bytes()
            mbox.write(b"From MAILER-DAEMON Thu Jan  1 00:00:00 1970\n")
            mbox.write(data)
            mbox.write(b"\n")
            count += 1
            size += len(data)
    print(f"{count} letters, {size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
