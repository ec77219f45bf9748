i=1
while [ $i -le 18 ]; do
  echo "saw$((i % 3)) $((i * 5 % 7 + 2)) oak"
  i=$((i + 1))
done > jobs.txt
cat > job.sh <<'X'
awk -v saw="$1" -v boards="$2" -v wood="$3" \
  'BEGIN { for (n = 0; n < boards; n++) print saw " cuts board " n " of " wood " for the yard" }' >> shift.log
X
