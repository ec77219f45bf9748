mkdir -p mills active
rm -f mills/* active/*
i=10
while [ $i -lt 46 ]; do
  [ $((i % 4)) = 1 ] || printf 'mill %d\nhead %d\n' $i $((i % 5 + 2)) > mills/m$i
  set -- "$@" ../mills/m$i
  i=$((i + 1))
done
ln -s "$@" active/
: > active/README
