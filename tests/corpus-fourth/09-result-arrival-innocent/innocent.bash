#!/bin/bash
# Runs twelve calibrations two at a time and reports which of them gave no result.
calibrate() {
    local n=$1
    (( n % 5 == 3 )) && return 1
    echo "gain=$(( n * 11 ))" > "results/$n.ok"
}

failed=()
for n in {1..12}; do
    calibrate "$n" &
    (( n % 2 == 0 )) && wait
    if (( n % 2 == 0 )); then
        for m in $(( n - 1 )) "$n"; do
            [[ -e results/$m.ok ]] || failed+=("$m")
        done
    fi
done
wait
echo "failed: ${failed[*]}"
cat results/{1,12}.ok
