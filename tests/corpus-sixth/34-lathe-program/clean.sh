#!/bin/sh
# Groups the cuts of each lathe job by feed so that the tool changes speed less often.
set -eu

scratch=$(mktemp -d /tmp/lathe.XXXXXXXX)
trap 'rm -rf "$scratch"' EXIT
sorted=$scratch/sorted
feeds=$scratch/feeds

group_job() {
    job=$1
    sort -t F -k 2n "$job" > "$sorted"
    last=
    changes=0
    cuts=0
    while read -r line; do
        f=${line##* F}
        if [ "$f" != "$last" ]; then
            changes=$((changes + 1))
            last=$f
            echo "$f"
        fi
        cuts=$((cuts + 1))
    done < "$sorted" > "$feeds"
    first=
    read -r first < "$feeds"
    name=${job##*/}
    echo "${name%.nc}: $cuts cuts, $changes feeds, starts at $first"
}

total=0
for job in jobs/*.nc; do
    group_job "$job"
    total=$((total + 1))
done
echo "$total jobs"
