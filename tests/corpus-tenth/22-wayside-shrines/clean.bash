#!/bin/bash
# Makes the book of wayside shrines: for each way a heading with the number, then the shrines.
set -u

shrines=0
ways=0
longest=0
limes=0
book=

describe() {
    local line total=0
    for line in "${lines[@]}"; do
        set -- $line
        total=$((total + $2))
        [[ $3 != lime ]] || limes=$((limes + 1))
        book+="  $1 under a $3, $2 furlongs on"$'\n'
    done
    [[ $total -le $longest ]] || longest=$total
}

for list in shrines/way*.list; do
    name=${list##*/}
    mapfile -t lines < "$list"
    number=${#lines[@]}
    book+="${name%.list}: $number shrines"$'\n'
    describe
    shrines=$((shrines + number))
    ways=$((ways + 1))
done

cat > book.txt << END
$book
END
echo "$ways ways, $shrines shrines, $limes of them under limes"
echo "longest way: $longest furlongs"
