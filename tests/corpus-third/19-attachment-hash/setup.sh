mkdir att
i=1; while [ $i -le 60 ]; do printf "%0$((i*30))d" $i > att/$i.bin; i=$((i+1)); done
