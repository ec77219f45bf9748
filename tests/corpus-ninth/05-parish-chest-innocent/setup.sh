i=1
while [ $i -le 14 ]; do
  echo "deed $((i * 3)) of the $( [ $((i % 2)) = 0 ] && echo mill || echo meadow )"
  i=$((i + 1))
done > deeds.txt
cat > verger.sh <<'X'
awk -v day="$1" 'BEGIN { for (i = 0; i <= day % 3; i++) print "the verger laid in candle money no. " day "." i }' >> chest.txt
X
