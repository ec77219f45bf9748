#!/bin/sh
# Who has which key of the church? Brings the lists in the vestry up to date.
set -eu

dir=keys
changes=$(cat today.txt)

# a list with the changes of today
apply() {
    while read -r key holder; do
        case "
$changes
" in
        *"
$key "*)
            holder=${changes##*"$key "}
            holder=${holder%%"
"*}
            ;;
        esac
        echo "$key $holder"
    done
}

total=0
for list in $dir/*.txt; do
    new=$(apply < "$list")
    echo "$new" > "$list.new"
    sync "$list.new"
    mv "$list.new" "$list"
    here=0
    all=0
    for word in $new; do
        all=$((all + 1))
        if [ "$word" = here ]; then
            here=$((here + 1))
        fi
    done
    name=${list#"$dir"/}
    echo "${name%.txt}: $((all / 2 - here)) keys away"
    total=$((total + all / 2 - here))
done

sync "$dir"
echo "$total keys away in all"
