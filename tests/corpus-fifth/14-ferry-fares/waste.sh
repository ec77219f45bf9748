#!/bin/sh
# Prices the bookings of the island ferry.
set -eu

# fare ADULTS CHILDREN CARS BIKES SEASON -> $price
fare() {
    . ./fares.conf
    price=$(($1 * ADULT + $2 * CHILD + $3 * CAR + $4 * BIKE))
    if [ "$5" = winter ]; then
        price=$((price - price * WINTER_DISCOUNT / 100))
    fi
}

cents() {
    printf '%d.%02d' $(($1 / 100)) $(($1 % 100))
}

# All bookings as words: five for each of them.
bookings=$(cat bookings.txt)
set -- $bookings

n=0 sum=0 max=0 winter=0
while [ $# -ge 5 ]; do
    fare "$1" "$2" "$3" "$4" "$5"
    sum=$((sum + price))
    n=$((n + 1))
    if [ "$price" -gt "$max" ]; then
        max=$price
    fi
    if [ "$5" = winter ]; then
        winter=$((winter + 1))
    fi
    shift 5
done

echo "$n bookings, $winter in winter"
echo "takings $(cents "$sum")"
echo "dearest $(cents "$max")"
