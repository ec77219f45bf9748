rm -rf sheets; mkdir sheets
w=1
while [ $w -le 30 ]; do
  { if [ $((w % 3)) -eq 0 ]; then echo "absent weaver$w"; else echo "present weaver$w"; for d in 1 2 3 4 5; do echo "$d $((w * d % 40 + 20))"; done; fi; } > sheets/w$w.txt
  w=$((w + 1))
done
