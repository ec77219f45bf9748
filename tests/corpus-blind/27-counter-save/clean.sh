#!/bin/sh
# Counts hits in three portions; the state survives between them.
portion() {
    read -r total zeros < state
    while read -r kind _; do
        total=$((total + 1))
        [ "$kind" = 0 ] && zeros=$((zeros + 1))
    done
    echo "$total $zeros" > state.new
    sync state.new
    mv state.new state
    sync .
}
sed -n 1,10p hits > p1
sed -n 11,20p hits > p2
sed -n 21,30p hits > p3
for p in p1 p2 p3; do
    portion < $p
done
read -r total zeros < state
echo "hits $total, of kind 0 $zeros"
