mkdir theme
for i in $(seq 32 126); do echo "$i $((4 + i % 5))"; done > theme/builtin.font
i=0; while [ $i -lt 140 ]; do echo "Label number $i of the dialog"; i=$((i+1)); done > labels.txt
