i=0; while [ $i -lt 70 ]; do printf '%01000d' $((i*i)); i=$((i+1)); done > disk.img
