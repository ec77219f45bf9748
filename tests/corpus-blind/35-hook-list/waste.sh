#!/bin/sh
# Reports logins; needs the list of known users beside it.
exec 7< passwords.txt
known=0
while read -r line <&7; do
    known=$((known + 1))
done
sort logins.txt > sorted.txt
users=$(cut -d' ' -f2 sorted.txt | sort -u | wc -l)
last=$(tr 'a-z' 'A-Z' < sorted.txt | head -1)
echo "known $known, users $users, first $last"
