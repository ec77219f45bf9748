rm -rf herbarium
i=1
while [ $i -le 40 ]; do
  case $((i % 5)) in 0) v0=ophrys ;; 1) v0=orchis ;; 2) v0=epipactis ;; 3) v0=neottia ;; *) v0=listera ;; esac
  echo "$v0 $i $((i * 17 % 50)) $((1850 + i * 3))"
  i=$((i + 1))
done > specimens.txt
