"""Keeps the register of tenants' deposits; saved after each event, as the law wants."""
import json
import os

REGISTER = "deposits.json"


def load():
    with open(REGISTER) as register:
        return json.load(register)


def save(deposits):
    with open(REGISTER + ".new", "w") as register:
        register.write(json.dumps(deposits, indent=1))
        register.flush()
        os.fsync(register.fileno())
    os.replace(REGISTER + ".new", REGISTER)
    directory = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
    os.fsync(directory)
    os.close(directory)


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
