mkdir history
i=0; while [ $i -lt 230 ]; do echo "#room$((i % 3)) <nick$((i % 14))> line $i"; i=$((i+1)); done > export.txt
