i=0; while [ $i -lt 200 ]; do printf "%0256d" $((i*i)); i=$((i+1)); done > scan.raw
