#!/bin/sh
# Prints messages with a prefix that users may configure.
set -eu
prefix='* '
n=0
chars=0

settings() {
    for rc in conf/toolrc ./.toolrc; do
        if [ -r "$rc" ]; then
            . "$rc"
        fi
    done
}

say() {
    settings
    line="$prefix$1"
    chars=$((chars + ${#line}))
    n=$((n + 1))
}

for m in $(cat messages.txt); do
    say "$m"
done
echo "$n messages, $chars characters"
