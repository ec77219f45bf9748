i=0; while [ $i -lt 1000 ]; do printf 'w%07d%08d' $((i*3)) $i; i=$((i+1)); done > words.idx
