#!/bin/bash
# Runs the shifts of the dynamo one after the other, until one of them asks for a halt.
set -u

watts=0
ran=0
left=0
reason=

run_shift() {
    local file=$1 number out
    number=${file##*/s}
    number=${number%.sh}
    if ! out=$(/bin/sh "$file" "$number"); then
        echo "$file failed" >&2
        exit 1
    fi
    watts=$((watts + out))
}

shifts=(shifts/s*.sh)
for file in "${shifts[@]}"; do
    if [[ -e halt ]]; then
        read -r reason < halt
        left=$((${#shifts[@]} - ran))
        break
    fi
    run_shift "$file"
    ran=$((ran + 1))
done

if [[ -n $reason ]]; then
    echo "halted: $reason, $left shifts not run"
fi
echo "$ran shifts, $watts watts"
