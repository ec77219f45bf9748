"""Keeps the register of tenants' deposits; saved after each event, as the law wants."""
import json

REGISTER = "deposits.json"


def load():
    with open(REGISTER) as register:
        return json.load(register)


def save(deposits):
    with open(REGISTER, "w") as register:
        register.write(json.dumps(deposits, indent=1))


def apply(deposits, flat, event):
    entry = deposits[flat]
    if event == "interest":
        gain = entry["cents"] * 2 // 100
        entry["cents"] += gain
        return f"{flat}: {gain} cents of interest"
    del deposits[flat]
    return f"{flat}: {entry['cents']} cents paid back to {entry['tenant']}"


def main():
    deposits = load()
    with open("events.txt") as events:
        todo = [line.split() for line in events]
    for flat, event in todo:
        print(apply(deposits, flat, event))
        save(deposits)
    total = sum(entry["cents"] for entry in deposits.values())
    print(f"{len(deposits)} deposits, {total / 100:.2f} in all")


main()
