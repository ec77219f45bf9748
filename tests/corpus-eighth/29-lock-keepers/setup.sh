: > passages.log
i=0
while [ $i -lt 60 ]; do
  case $((i % 5)) in
  0) echo "pass boat$((i * 7 % 31)) $((i % 4 + 1))" ;;
  1 | 2) echo "queue $((i % 4 + 1))" ;;
  3) echo "level $((i % 4 + 1))" ;;
  4) echo "last $((i % 4 + 1))" ;;
  esac
  i=$((i + 1))
done > requests.txt
