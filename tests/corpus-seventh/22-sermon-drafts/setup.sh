mkdir -p drafts
i=0
while [ $i -lt 30 ]; do
  awk -v s=$((i % 26)) 'BEGIN { for (j = 0; j < 150; j++) printf "%d. and the %d. said: %s\n", j, s * j % 12, (j % 7 ? "amen" : "let us rise") }' > drafts/d$i.txt
  i=$((i + 1))
done
