mkdir bin
i=1; while [ $i -le 30 ]; do echo "tool$i"; i=$((i+1)); done > tools.txt
