mkdir -p notices
echo 'no greens north of the river' > notices/frost.flag
printf 'kale,120\nleek,95\nbeet,70\nonion,40\nchard,150\n' > rates.csv
touch -d '2024-03-01 10:00:00Z' rates.csv
i=1
while [ $i -le 60 ]; do
  case $((i % 5)) in 0) v=kale;; 1) v=leek;; 2) v=beet;; 3) v=onion;; 4) v=chard;; esac
  echo "$i;$v;$((i % 7 + 1))"
  i=$((i + 1))
done > orders.txt
