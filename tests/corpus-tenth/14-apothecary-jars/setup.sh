i=1
while [ $i -le 12 ]; do printf '[herb%d]\ndose=%d\nprice=%d\njar="%s"\n' $i $((i % 4 + 1)) $((i * 17)) "shelf $((i % 5))"; i=$((i + 1)); done > remedies.ini
i=1
while [ $i -le 50 ]; do echo "patient$((i * 7 % 23)) herb$((i * 5 % 12 + 1)) $((i % 6 + 2))"; i=$((i + 1)); done > scripts.txt
