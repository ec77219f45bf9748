mkdir -p drawings
rm -rf parcel
i=1
while [ $i -le 24 ]; do { printf 'PLOT scale%d\n' $((i % 5 + 1)); printf "%090000d\n" $((i * 7919)); } > drawings/b$i.plt; i=$((i + 1)); done
i=1
while [ $i -le 24 ]; do echo "b$i $([ $((i % 3)) = 0 ] && echo forge || echo organ)"; i=$((i + 1)); done > list.txt
