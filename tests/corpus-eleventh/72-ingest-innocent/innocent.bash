#!/bin/bash
# ingest: takes jobs from a producer as they come and files them by queue.
set -eu

out=${1:-queues}
mkdir -p "$out"

producer() {
    awk 'BEGIN {
        split("mail print fax", q, " ")
        for (i = 1; i <= 240; i++)
            printf "%s %d %s\n", q[i % 3 + 1], i, (i % 40 ? "normal" : "urgent")
    }'
}

n=0
urgent=0
m='' p='' f=''
while read -r queue id prio; do
    case $queue in
    mail) m+="$id $prio"$'\n' ;;
    print) p+="$id $prio"$'\n' ;;
    fax) f+="$id $prio"$'\n' ;;
    *) echo "ingest: unknown queue $queue" >&2 ;;
    esac
    if [[ $prio == urgent ]]; then
        urgent=$((urgent + 1))
    fi
    n=$((n + 1))
done < <(producer)
cat >"$out/mail" <<<"${m%$'\n'}"
cat >"$out/print" <<<"${p%$'\n'}"
cat >"$out/fax" <<<"${f%$'\n'}"
echo "$n jobs, $urgent urgent"
