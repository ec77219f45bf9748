# Pairs the players of the round: strongest against weakest.
set -eu

players=players.txt
table=round.txt

work=/tmp/pairings.$$
trap 'rm -f "$work"' EXIT

sort -k2,2nr "$players" > "$work"

count=$(wc -l < "$work")
half=$((count / 2))

: > "$table"
exec 3>> "$table"
board=1
while [ "$board" -le "$half" ]; do
    strong=$(sed -n "${board}p" "$work")
    weak=$(sed -n "$((count + 1 - board))p" "$work")
    if [ $((board % 2)) -eq 1 ]; then
        white=${strong%% *}
        black=${weak%% *}
    else
        white=${weak%% *}
        black=${strong%% *}
    fi
    echo "board $board: $white - $black" >&3
    board=$((board + 1))
done
exec 3>&-

echo "$count players on $half boards"
cat "$table"
