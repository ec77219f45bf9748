mkdir -p letters
awk 'BEGIN { for (i = 0; i < 32; i++) {
  f = "letters/letter" i
  for (k = 0; k < i * 4 % 61 + 2; k++) printf "letter %d line %d: the bells of the parish shall be rung at noon\n", i, k > f
  close(f)
  print "letter" i } }' > outgoing.txt
