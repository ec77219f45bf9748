#!/bin/sh
# One file for each report, in a directory for each branch.
n=0
made=' '
while read -r branch word number rest; do
    case $made in
        *" $branch "*) ;;
        *) mkdir -p "out/$branch"; made="$made$branch " ;;
    esac
    echo "$word $number: $rest" > "out/$branch/$number.txt"
    n=$((n + 1))
done < reports.txt
echo "$n reports"
ls out
