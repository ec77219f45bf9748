printf 'north 40100\nsouth 39800\nharbour 41250\nmill 38990\nridge 40010\nford 39250\n' > bids.secret
chmod 600 bids.secret
mkdir lots
for n in north south harbour mill ridge ford; do
  printf 'lot %s\nterms: thirty days\n' $n > lots/$n.txt
done
