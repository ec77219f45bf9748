#!/bin/sh
# Lists the titles of the manual pages that a release must have.
# One listing: for a topic in several sections the first of 1, 8, 5, 3 counts.
have=" $(echo man/*) "
titles=0
wrong=
i=1
while [ $i -le 40 ]; do
    page=
    for section in 1 8 5 3; do
        case $have in
            *" man/topic$i.$section "*) page=man/topic$i.$section; break ;;
        esac
    done
    [ -n "$page" ] || { echo "topic$i has no page" >&2; exit 1; }
    read -r macro title number < "$page"
    [ "$title" = "TOPIC$i" ] || wrong="$wrong $title"
    titles=$((titles + number))
    i=$((i + 1))
done
echo "sections add up to $titles, wrong:${wrong:- none}"
