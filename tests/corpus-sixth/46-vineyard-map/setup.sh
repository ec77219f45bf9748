mkdir -p parcels
i=1
while [ $i -le 5 ]; do printf 'parcel=%d\nrows=%d\ngrape=old\n' $i $((i * 4)) > parcels/p$i.properties; i=$((i + 1)); done
