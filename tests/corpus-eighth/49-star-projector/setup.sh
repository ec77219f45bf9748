rm -f show.txt show.done
i=1
while [ $i -le 40 ]; do echo "star$i $((i * 17 % 90)) $((i * 31 % 360)) $((i % 6))"; i=$((i + 1)); done > stars.txt
cat > compute.sh <<'X'
LC_ALL=C sort -k4,4n -k1,1 stars.txt | while read -r name alt az mag; do
  [ "$mag" -lt 4 ] && echo "$name $((alt * 10 + mag)) $((az / 15))"
done > show.txt
sleep 0.4
echo ready > show.done
X
