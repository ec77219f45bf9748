mkdir -p lofts/attic lofts/yard
i=1
while [ $i -le 68 ]; do printf 'ring%03d cock %d hen %d\n' $i $((i % 3)) $((i % 5)) > lofts/l$i; i=$((i + 1)); done
