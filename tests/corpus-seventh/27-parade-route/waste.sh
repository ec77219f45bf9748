#!/bin/sh
# Takes the streets with road works out of the route of the parade.
set -eu

route=route.txt
works=works.txt
new=$route.new

if [ ! -s "$works" ]; then
    echo 'no road works, the route stays'
    exit 0
fi

awk -v out="$new" '
    FNR == NR {
        state[$1] = $2
        next
    }
    state[$1] == "closed" {
        dropped++
        next
    }
    {
        mark = state[$1] == "wider" ? " wide" : ""
        print $1, $2 mark > out
        kept++
        metres += $2
    }
    END {
        close(out)
        printf "%d streets, %d metres, %d left out\n", kept, metres, dropped
    }
' "$works" "$route"

mv "$new" "$route"
echo "the marshals may fetch $route"
