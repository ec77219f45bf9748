mkdir rips
i=0; while [ $i -lt 30 ]; do { printf 'RIFF%04d' $i; seq 1 $((i * 10 + 5)); } > rips/side$i.wav; i=$((i+1)); done
