#!/usr/bin/env python3
"""Makes members.txt (name|mail|language|fee) and the letters letter.en and letter.de."""
with open("members.txt", "w") as f:
    for i in range(210):
        f.write(f"Member {i:03d}|m{i:03d}@example.org|{'de' if i % 3 == 0 else 'en'}|{10 + i % 5 * 4}\n")
for lang, hello, text in (("en", "Dear", "your yearly fee of @FEE@ EUR is due."),
                          ("de", "Hallo", "der Jahresbeitrag von @FEE@ EUR ist zu zahlen.")):
    with open(f"letter.{lang}", "w") as f:
        f.write(f"From: office@example.org\nTo: @MAIL@\nSubject: fee\n\n{hello} @NAME@,\n{text}\n" + "-- \nThe office\n" * 3)
