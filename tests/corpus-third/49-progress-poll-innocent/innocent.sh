#!/bin/bash
# Shows how far a download has come; prints each new size once.
part=download.part
: > "$part"

download() {
    local i
    for i in 1 2 3 4 5; do
        printf '%01000d' "$i" >> "$part"
        sleep 0.08
    done
    echo done > download.state
}

download &
last=-1
shown=0
while [[ ! -s download.state ]]; do
    size=$(stat -c %s "$part")
    if [[ $size != "$last" ]]; then
        shown=$((shown + 1))
        last=$size
    fi
    sleep 0.07
done
wait
((shown >= 1)) && echo "progress shown, $(stat -c %s "$part") bytes"
