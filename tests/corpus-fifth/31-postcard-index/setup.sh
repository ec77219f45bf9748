mkdir -p cards
i=1
while [ $i -le 90 ]; do printf 'PC01%04d view of harbour %d, sent 19%02d' $i $((i % 9)) $((i % 50 + 5)) > cards/c$i.card; i=$((i + 1)); done
for i in 5 20 35 50 65; do printf 'XXXXbroken' > cards/c$i.card; done
