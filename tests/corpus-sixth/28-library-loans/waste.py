"""Desk of a small library: lends, takes back and prolongs books."""
import json

STORE = "loans.json"


def load():
    with open(STORE, encoding="utf-8") as f:
        return json.load(f)


def save(desk):
    with open(STORE, "w", encoding="utf-8") as f:
        json.dump(desk, f, indent=1)


def lend(desk, reader, book):
    number = str(desk["next"])
    desk["next"] += 1
    desk["loans"][number] = {"reader": reader, "book": book, "days": 28}
    return number


def give_back(desk, number):
    return desk["loans"].pop(number)


def prolong(desk, reader, days):
    mine = [loan for loan in desk["loans"].values() if loan["reader"] == reader]
    for loan in mine:
        loan["days"] += days
    return len(mine)


def main():
    desk = load()
    number = lend(desk, "reader5", "book 1001")
    save(desk)
    print("lent as", number)
    book = give_back(desk, "17")["book"]
    save(desk)
    print("back:", book)
    print("prolonged:", prolong(desk, "reader5", 14))
    save(desk)
    late = [n for n, loan in load()["loans"].items() if loan["days"] < 3]
    print(f"{len(desk['loans'])} loans, {len(late)} late")


if __name__ == "__main__":
    main()
