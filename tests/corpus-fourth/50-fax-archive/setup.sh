mkdir faxes
i=0; while [ $i -lt 55 ]; do { echo "II$i"; seq 1 $i; } > faxes/$i.tif; i=$((i+1)); done
