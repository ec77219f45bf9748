cat > booth.sh <<'E'
n=0
while read -r verb word; do
  n=$((n + 1))
  echo "$n ${#word}"
done
E
