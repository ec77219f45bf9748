rm -rf parts; mkdir parts
for v in soprano alto tenor bass; do
  for p in kyrie gloria credo sanctus agnus; do
    i=0; while [ $i -lt 20 ]; do echo "$v $p bar $i"; i=$((i + 1)); done > parts/$v-$p.txt
  done
done
