i=1; while [ $i -le 30 ]; do echo "w$((i*17%30)) $i"; i=$((i+1)); done > freq.txt
