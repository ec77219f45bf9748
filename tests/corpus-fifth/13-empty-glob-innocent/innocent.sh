#!/bin/sh
# Collects the messages that guests left in the boxes of their rooms.
set -eu

count=0 rooms=0 empty=0
words=''

# box ROOM: takes up the messages of one room
box() {
    had=0
    for msg in "$1"/*.msg; do
        # an empty box leaves the pattern itself
        [ -e "$msg" ] || continue
        read -r text < "$msg"
        words="$words $text"
        count=$((count + 1))
        had=1
    done
    if [ "$had" -eq 1 ]; then
        rooms=$((rooms + 1))
    else
        empty=$((empty + 1))
    fi
}

for room in boxes/room*; do
    box "$room"
done

echo "$count messages from $rooms rooms, $empty empty boxes"
drips=0
for w in $words; do
    case $w in
    drips) drips=$((drips + 1)) ;;
    esac
done
echo "$drips taps to mend"
