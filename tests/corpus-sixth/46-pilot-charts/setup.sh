mkdir -p charts
for c in fjord delta sound; do echo '{"depths": []}' > charts/$c.json; done
i=0
while [ $i -lt 60 ]; do
  case $((i % 3)) in 0) c=fjord;; 1) c=delta;; 2) c=sound;; esac
  echo "$c $((i * 7 % 40 + 2))"; i=$((i + 1))
done > soundings.txt
