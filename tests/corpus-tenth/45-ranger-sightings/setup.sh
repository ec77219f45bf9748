rm -rf state; mkdir state; echo '{}' > state/sightings.json
i=0
while [ $i -lt 40 ]; do
  i=$((i+1))
  case $((i * 3 % 5)) in 0) a=lynx;; 1) a=elk;; 2) a=bear;; 3) a=owl;; 4) a=otter;; esac
  echo "tour$((i / 4 + 1)) $a $((i % 6 + 1))"
done | grep -v tour11 > tours.txt
