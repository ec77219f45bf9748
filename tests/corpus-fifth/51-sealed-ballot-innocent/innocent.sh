#!/bin/sh
# Puts ballots into the urn. A ballot is made so that only the urn's account can read it, and is sealed
# (made read-only) when it is complete: the counting program takes sealed ballots only.
set -eu
umask 077

seal_of() {
    # a small sum over the characters
    rest=$1 s=7
    while [ -n "$rest" ]; do
        tail=${rest#?}
        c=${rest%"$tail"}
        s=$(((s * 31 + $(printf '%d' "'$c")) % 9973))
        rest=$tail
    done
    echo "$s"
}

cast() {
    ballot=urn/$1.ballot
    {
        echo "list $2"
        echo "seal $(seal_of "$2")"
    } > "$ballot"
    chmod 400 "$ballot"
}

n=0
while read -r voter list; do
    cast "$voter" "$list"
    n=$((n + 1))
done < votes.txt

echo "ballots cast: $n"
find urn -name '*.ballot' -perm 400 | wc -l
cat urn/voter1.ballot
