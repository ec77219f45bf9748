i=0
while [ $i -lt 200 ]; do printf 'tile%04d weave%02d hook%02d thr%04d\n%0991d\n' $i $((i % 13)) $((i % 7)) $((i * 7 % 900)) $i; i=$((i + 1)); done > patterns.dat
i=0
while [ $i -lt 100 ]; do echo $((i * 53 % 207)); i=$((i + 1)); done > wanted.txt
