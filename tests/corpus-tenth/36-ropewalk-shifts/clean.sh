# Works out the wages of a ropewalk: name, hours and fathoms of each shift.
set -eu

rate_hour=4
rate_fathom=1
: > wages.txt

wage() {
    # a long shift earns a third more for the hours over five
    hours=$1
    fathoms=$2
    pay=$((hours * rate_hour + fathoms * rate_fathom / 2))
    if [ "$hours" -gt 5 ]; then
        pay=$((pay + (hours - 5) * rate_hour / 3))
    fi
}

total=0
shifts=0
best=0
best_name=
while read -r name hours fathoms; do
    wage "$hours" "$fathoms"
    total=$((total + pay))
    shifts=$((shifts + 1))
    if [ "$pay" -gt "$best" ]; then
        best=$pay
        best_name=$name
    fi
    echo "shift $shifts: $name $hours h $fathoms fathoms -> $pay d"
done < shifts.txt >> wages.txt

echo "$shifts shifts, $total pence"
echo "best shift: $best_name with $best pence"
