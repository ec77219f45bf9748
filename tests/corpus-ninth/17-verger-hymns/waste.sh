#!/bin/sh
# Counts the verses sung in each season and finds the longest hymn.

set -eu

list=hymns.txt
out=seasons.txt
[ -r "$list" ] || { echo "no $list" >&2; exit 1; }

advent=0 lent=0 easter=0 trinity=0
hymns=0 longest=0 which=0
while read -r number season verses tune; do
    hymns=$((hymns + 1))
    case $season in
        advent) advent=$((advent + verses)) ;;
        lent) lent=$((lent + verses)) ;;
        easter) easter=$((easter + verses)) ;;
        trinity) trinity=$((trinity + verses)) ;;
        *) continue ;;
    esac
    if [ "$verses" -gt "$longest" ]; then
        longest=$verses
        which=$number
    fi
done < "$list"
{
    echo "advent $advent"
    echo "lent $lent"
    echo "easter $easter"
    echo "trinity $trinity"
} > "$out"

echo "$hymns hymns on the board"
if [ "$longest" -gt 0 ]; then
    echo "longest: no. $which with $longest verses"
fi
echo "seasons in $out"
