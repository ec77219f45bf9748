mkdir in
for i in $(seq 1 60); do printf 'event %s level %s\n' $i $((i%5)) > in/$i.evt; done
