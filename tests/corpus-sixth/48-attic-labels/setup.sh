d=house/attic/chests/oak/letters/undated
mkdir -p $d
i=1
while [ $i -le 75 ]; do echo "letter $i" > "$d/SCAN $i.TXT"; i=$((i + 1)); done
