i=1; while [ $i -le 400 ]; do printf 'line %04d of the novel..........\n' $i; i=$((i+1)); done > novel.txt
