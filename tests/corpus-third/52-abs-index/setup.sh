i=1; while [ $i -le 100 ]; do echo "src/mod$((i%10))/f$i.c"; i=$((i+1)); done > files.txt
