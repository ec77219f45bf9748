mkdir -p loans
i=0
while [ $i -lt 60 ]; do [ $((i % 4)) -eq 1 ] || echo "robe $i" > loans/robe$i.slip; i=$((i + 1)); done
