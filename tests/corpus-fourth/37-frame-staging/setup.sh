mkdir frames
i=0; while [ $i -lt 60 ]; do seq $i $((i + 400)) > frames/f$i.pgm; i=$((i+1)); done
