#!/bin/sh
# Franks the letters of one tray: zone, grams, name.

rate() {
    while read -r zone cents; do
        if [ "$zone" = "$1" ]; then
            price=$cents
            return 0
        fi
    done < rates.tbl
    return 1
}

steps() {
    # up to 20 g once, up to 50 g twice, above thrice
    if [ "$1" -le 20 ]; then
        step=1
    elif [ "$1" -le 50 ]; then
        step=2
    else
        step=3
    fi
}

count=0
sum=0
lost=0
franked=
set -- $(cat tray.txt)
while [ $# -ge 3 ]; do
    to=$1 grams=$2 name=$3
    shift 3
    if ! rate "$to"; then
        lost=$((lost + 1))
        continue
    fi
    steps "$grams"
    cents=$((price * step))
    franked="$franked$name $to ${grams}g $cents
"
    count=$((count + 1))
    sum=$((sum + cents))
done
printf '%s' "$franked" > franked.txt
echo "$count letters franked, $lost returned"
echo "$((sum / 100)).$((sum % 100 / 10))$((sum % 10)) taken"
