mkdir -p www/docs/manual/en
for i in $(seq 1 80); do echo "see p$((i%80+1)).html" > www/docs/manual/en/p$i.html; done
