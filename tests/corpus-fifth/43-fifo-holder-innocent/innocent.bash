#!/bin/bash
# The call display of an office: desks write their calls into a fifo, one desk after the other,
# the display reads them. It reads until the sixth desk says that it is closing.
set -eu

# read-write, so that opening does not wait for a first desk, and the pause between
# two desks is not taken for the end
exec 5<> calls

desk() {
    local n=$1 number
    while read -r number; do
        echo "desk$n $number"
    done < "desks/d$n.txt" > calls
    echo "desk$n closes" > calls
}

(
    exec 5>&-
    for n in 1 2 3 4 5 6; do
        desk "$n"
    done
) &

calls=0
closed=0
sum=0
while ((closed < 6)) && read -r desk what <&5; do
    if [[ $what == closes ]]; then
        closed=$((closed + 1))
        echo "$desk closed after $calls calls in all"
    else
        calls=$((calls + 1))
        sum=$((sum + what))
    fi
done
wait
exec 5<&-
echo "calls: $calls, sum of the numbers: $sum"
