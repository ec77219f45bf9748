mkdir -p marks
i=1
while [ $i -le 72 ]; do
  printf '<svg width="%d" height="%d"><path d="M %d %d L %d 9 Z"/><desc>potter %d</desc></svg>\n' $i $((i * 2)) $((i % 9)) $((i % 7)) $((i * 3)) $((i % 13)) > marks/m$i.svg
  i=$((i + 1))
done
