i=0; while [ $i -lt 150 ]; do printf 'ck%02d%04d' $((i%7)) 200; printf '%0200d' $i; i=$((i+1)); done > song.riff
