rm -f knots.svg
i=1
while [ $i -le 12 ]; do echo "$((i % 4 + 2)) $((i % 3 + 3)) knot$i"; i=$((i + 1)); done > knots.txt
