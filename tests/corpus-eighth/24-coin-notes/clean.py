"""Table of a coin collection, from one small note for each coin."""
import os
import re

FIELD = re.compile(rb"^(mint|year|metal): (.*)$", re.MULTILINE)


def fields(path):
    with open(path, "rb", buffering=0) as note:
        text = note.read(8192)
    return {m[1].decode(): m[2].decode() for m in FIELD.finditer(text)}


def main():
    coins = []
    for name in sorted(os.listdir("notes")):
        coin = fields(os.path.join("notes", name))
        coin["name"] = name.removesuffix(".txt")
        coin["year"] = int(coin["year"])
        coins.append(coin)
    by_mint = {}
    for coin in coins:
        by_mint.setdefault(coin["mint"], []).append(coin)
    for mint in sorted(by_mint):
        group = by_mint[mint]
        oldest = min(group, key=lambda coin: coin["year"])
        silver = sum(coin["metal"] == "silver" for coin in group)
        print(f"{mint}: {len(group)} coins, {silver} silver, oldest {oldest['name']} of {oldest['year']}")
    print(f"{len(coins)} coins from {coins[0]['year']} to {coins[-1]['year']}")


main()
