#!/bin/bash
# Renames the accounts of a merger; every step is put down in the audit log.
exec 7>> audit.log
audit() { echo "step $1" >&7; }

n=0
for user in Ada Bob Cem Dua Eli Fay Gus Hal Ida Jon Kit Lea Max Nia Oda Pia; do
    login=$(tr '[:upper:]' '[:lower:]' <<< "$user")
    audit "$user becomes $login@new.example"
    n=$(( n + 1 ))
done
exec 7>&-
echo "$n accounts, $(grep -c becomes audit.log) audited, last $login"
