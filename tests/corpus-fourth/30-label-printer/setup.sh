ln -s /dev/full lp0
i=0; while [ $i -lt 30 ]; do echo "parcel-$i;Street $((i % 7)) No $i;$((10000 + i * 37))"; i=$((i+1)); done > parcels.csv
