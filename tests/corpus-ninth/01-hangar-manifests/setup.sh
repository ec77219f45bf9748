mkdir -p manifests
i=1
while [ $i -le 40 ]; do
  n=$((1000 + i))
  printf 'crew %d\nfuel %d\npallet A %d\npallet B %d\n' $((i % 4 + 2)) $((i * 310)) $((i * 7)) $((i * 5)) > manifests/flight-$n.txt
  echo flight-$n
  i=$((i + 1))
done > duty.txt
: > manifests/flight-1013.txt
