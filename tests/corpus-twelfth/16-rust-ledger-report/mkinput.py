#!/usr/bin/env python3
"""Makes ledger.csv: date,account,amount-in-cents,text"""
accounts = ["rent", "wages", "fuel", "paper", "phone", "post", "repairs"]
seed = 17
with open("ledger.csv", "w") as out:
    for i in range(420):
        seed = (seed * 1103515245 + 12345) % 2**31
        acc = accounts[seed // 65536 % len(accounts)]
        out.write(f"2024-{1 + i // 36:02d}-{1 + i % 28:02d},{acc},{seed % 90000 - 20000},voucher {1000 + i}\n")
