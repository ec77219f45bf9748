mkdir -p inbox
i=1
while [ $i -le 72 ]; do
  printf 'From: fan%d\nSubject: %s\n\nI liked episode %d.\n' $((i % 31)) "hello $i" $((i % 12)) > inbox/l$i.eml
  i=$((i + 1))
done
