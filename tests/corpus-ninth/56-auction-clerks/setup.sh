mkdir -p rooms
for r in oak elm ash; do
  echo $r
  awk -v r=$r 'BEGIN { for (i = 0; i < 40; i++) print "lot" i % 9, "bidder" i * 7 % 13, 10 + (i * 31 + length(r)) % 90 }' > rooms/$r.bids
done > rooms.txt
