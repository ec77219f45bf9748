"""The paying side: sends the next payment only when the last one is acknowledged."""
import subprocess
import sys

srv = subprocess.Popen(
    ["java", "-XX:-UsePerfData", "-cp", "out", "Ledger", "ledger.log"],
    stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
)
total = 0
acks = 0
for i in range(90):
    amount = 100 + i * 7 % 83
    srv.stdin.write(f"PAY acct{i % 9} {amount}\n")
    srv.stdin.flush()
    total += amount
    if srv.stdout.readline().strip() != f"ACK {total}":
        sys.exit("ledger disagrees")
    acks += 1
srv.stdin.write("BYE\n")
srv.stdin.close()
srv.wait()
print(f"{acks} payments acknowledged, balance {total}")
