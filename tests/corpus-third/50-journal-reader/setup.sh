i=0; while [ $i -lt 60 ]; do printf '%04d%096d' $((i%9)) $i; i=$((i+1)); done > journal.bin
