#!/bin/bash
# Three workers use one machine in turns, under a lock directory.
lock=run.lock

acquire() {
    until mkdir "$lock" 2>/dev/null; do
        sleep 0.02
    done
}

release() {
    rmdir "$lock"
}

worker() {
    local i
    for i in 1 2 3; do
        acquire
        echo "$1 takes turn $i" >> turns.log
        sleep 0.01
        release
    done
}

for w in a b c; do
    worker "$w" &
done
wait
mapfile -t turns < turns.log
echo "${#turns[@]} turns taken"
for w in a b c; do
    printf '%s\n' "${turns[@]}" | grep -c "^$w "
done
