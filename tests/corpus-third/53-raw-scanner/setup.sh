i=0; while [ $i -lt 80 ]; do printf '%0997d' $((i*i)); i=$((i+1)); done > disk.raw
