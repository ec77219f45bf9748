#!/bin/sh
# Keeps the key board of a hotel: one file for each key that hangs there.
set -eu

board=keys/board

# the board may be on a share: make sure that it can be used
check_board() {
    if [ ! -d "$board" ]; then
        echo "no key board" >&2
        exit 1
    fi
    if [ ! -w "$board" ] || [ ! -x "$board" ]; then
        echo "key board is locked" >&2
        exit 1
    fi
}

hang_up() {
    check_board
    echo "$2" > "$board/$1"
}

moves=$(cat moves.txt)
set -- $moves
returned=0 taken=0 out=' '
while [ $# -ge 3 ]; do
    case $2 in
    in)
        hang_up "$1" "$3"
        returned=$((returned + 1))
        ;;
    out)
        check_board
        case $out in
        *" $1 "*) ;;
        *) out="$out$1 " ;;
        esac
        taken=$((taken + 1))
        ;;
    esac
    shift 3
done

hanging=0
for key in "$board"/*; do
    hanging=$((hanging + 1))
done
echo "$returned returned, $taken taken"
echo "$hanging different keys have hung here"
echo "taken at least once:$out"
