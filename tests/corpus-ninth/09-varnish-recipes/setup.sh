cat > recipes.json <<'X'
{"violin": {"copal": 3, "linseed": 5, "turps": 2}, "viola": {"copal": 4, "linseed": 6, "turps": 2}, "cello": {"mastic": 9, "linseed": 14, "turps": 6}}
X
i=1
while [ $i -le 45 ]; do
  case $((i % 3)) in 0) k=violin;; 1) k=viola;; 2) k=cello;; esac
  echo "$k $((i % 4 + 1)) owner$i"
  i=$((i + 1))
done > benches.txt
