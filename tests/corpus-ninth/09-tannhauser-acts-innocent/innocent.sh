#!/bin/sh
# Plays the scenes in order; whoever wants the performance to end leaves
# a note in curtain.down.

note=curtain.down
played=0
left=0
reason=

rm -f "$note" played.txt

stop_wanted() {
    [ -e "$note" ]
}

play() {
    sh "$1" || {
        echo "scene $1 failed" >&2
        exit 1
    }
    played=$((played + 1))
}

for scene in acts/*.sh; do
    if [ -n "$reason" ]; then
        left=$((left + 1))
        continue
    fi
    if stop_wanted; then
        read -r reason < "$note"
        left=$((left + 1))
        continue
    fi
    play "$scene"
done

echo "$played scenes played, $left left out"
if [ -n "$reason" ]; then
    echo "because $reason"
    rm -f "$note"
fi
tail -n 1 played.txt
