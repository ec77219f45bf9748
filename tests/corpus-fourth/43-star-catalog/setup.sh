i=0; while [ $i -lt 400 ]; do printf '%06d %5d\n' $((i * 13)) $((i * 37 % 9000)); i=$((i+1)); done > stars.cat
