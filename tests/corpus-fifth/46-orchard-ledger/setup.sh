i=1
while [ $i -le 80 ]; do echo "row$((i % 12)) $((i * 19 % 45))"; i=$((i + 1)); done > picked.txt
mkdir -p books
for s in pears apples; do i=0; while [ $i -lt 12 ]; do echo "row$i 100"; i=$((i + 1)); done > books/$s.ledger; done
