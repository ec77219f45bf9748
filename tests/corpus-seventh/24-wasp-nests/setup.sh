mkdir -p nests
i=0
while [ $i -lt 45 ]; do
  printf 'NEST\ntree=%s\ncells=%d\nheight=%d\n' $([ $((i % 2)) -eq 0 ] && echo oak || echo ash) $((200 + i * 37 % 300)) $((3 + i % 9)) > nests/n$i.rec
  i=$((i + 1))
done
