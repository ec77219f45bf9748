cat > fares.csv <<'E'
up,adult,1850
up,child,900
down,adult,1250
down,child,600
both,adult,2600
both,child,1300
E
touch -d '2026-03-02 12:00' fares.csv
i=1
while [ $i -le 70 ]; do
  case $((i % 3)) in 0) w=up;; 1) w=down;; *) w=both;; esac
  echo "$i $w $((i % 4 + 1)) $((i % 3))"
  i=$((i + 1))
done > sales.txt
