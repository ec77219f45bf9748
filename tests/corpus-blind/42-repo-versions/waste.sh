#!/bin/sh
# Lists the versions of all repositories and the sum of their minor numbers.
sum=0
count=0
for repo in repos/*; do
    cd "$repo" || exit 1
    read -r version < VERSION
    cd ../.. || exit 1
    minor=${version#*.}
    sum=$((sum + minor))
    count=$((count + 1))
    if [ "$minor" -gt "${highest:-0}" ]; then
        highest=$minor
        newest=${repo##*/}
    fi
done
echo "$count repositories, sum $sum, newest $newest"
