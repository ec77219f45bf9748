rm -rf bills drafts
i=1
while [ $i -le 26 ]; do echo "ship$i $((i * 137 % 900 + 50)) $((i % 5 + 1)) $((i % 3))"; i=$((i + 1)); done > calls.txt
