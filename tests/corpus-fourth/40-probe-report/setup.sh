i=0; while [ $i -lt 35 ]; do printf 'ch%02d %05d\n' $i $((i * 761 % 9973)); i=$((i+1)); done > probe.raw
