cat > scale.sh <<'X'
# pretends to be the driver of a scale: one weighing for each line that comes in
n=0
while read -r crate; do
  n=$((n + 1))
  printf 'gross=%d\ntare=%d\nstable=%d\n' $((n * 137 % 900 + 200)) $((n % 4 * 10 + 20)) $((n % 9 != 0)) > weight.txt
  echo "ready $crate"
done
X
