mkdir -p masques
i=1
while [ $i -le 36 ]; do
  { echo "title The Masque of $((i * 7)) Winds"
    j=0
    while [ $j -lt 40 ]; do echo "part$(((i + j) % 5)): line $j of the speech, verse $((i * j % 97))"; j=$((j + 1)); done
  } > masques/m$i.txt
  i=$((i + 1))
done
