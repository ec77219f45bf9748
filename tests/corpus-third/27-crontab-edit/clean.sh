#!/bin/sh
# Adds or removes jobs in a user's table.
set -eu
user=anna
table=spool/$user
new=spool/tab.new

replace() {
    sync "$new"
    mv -f "$new" "$table"
    sync spool
}

add_job() {
    cat "$table" > "$new"
    printf '%s\n' "$1" >> "$new"
    replace
}

remove_job() {
    sed "/ $1\$/d" "$table" > "$new"
    replace
}

add_job '30 5 * * * rotate'
remove_job report
jobs=$(wc -l < "$table")
echo "$user has $jobs jobs"
cut -d' ' -f6 "$table"
