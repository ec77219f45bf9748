rm -rf hats; mkdir hats
i=1
while [ $i -le 48 ]; do
  if [ $((i % 6)) -eq 0 ]; then w=x; else w=s; fi; if [ $((i % 2)) -eq 0 ]; then x=beaver; else x=wool; fi; printf 'HAT1%s\nbrim %d\ncrown %d\nfelt %s\n' "${w}" $((i % 9 + 3)) $((i % 7 + 8)) "${x}" > hats/h$i.hat
  i=$((i + 1))
done
