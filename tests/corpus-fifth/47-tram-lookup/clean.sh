#!/bin/sh
# Answers for which line and zone the stops of a trip are. The index of the stops is made anew
# when the source is another one. Each question is an own start of the program, as from the web server.
set -eu

build_index() {
    awk '{ print $1 "=" $2 "/" $3 }' stops.src > stops.idx.$$
    # the index has the time of its source, whatever clock that came from
    touch -r stops.src stops.idx.$$
    mv stops.idx.$$ stops.idx
}

lookup() {
    # is the index there, and of the very time of its source?
    if [ ! -f stops.idx ] || [ stops.idx -ot stops.src ] || [ stops.idx -nt stops.src ]; then
        build_index
    fi
    awk -F= -v stop="$1" '
        $1 == stop { print stop " is on " $2; found = 1; exit }
        END { if (!found) print stop " is not known" }' stops.idx
}

usage() {
    echo "usage: $0 [--stop NAME]" >&2
    exit 2
}

if [ "${1-}" = --stop ]; then
    [ $# -eq 2 ] || usage
    lookup "$2"
    exit 0
fi
[ $# -eq 0 ] || usage

for n in 3 77 12 150 250 8 299 301 41 100; do
    sh "$0" --stop "stop$n"
done
