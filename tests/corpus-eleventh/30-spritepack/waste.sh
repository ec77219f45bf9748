#!/bin/sh
# spritepack: packs the sprites of a game into one blob with an index.
# The pack is a build product: it can be made again at any time.
set -eu

src=${1:-sprites}
pack=${2:-sprites.pack}
index=$pack.idx

: >"$pack.tmp"
: >"$index.tmp"
offset=0
count=0

exec 3>>"$index.tmp"
set -- $(stat -c %s "$src"/*.spr)
for f in "$src"/*.spr; do
    n=$1
    shift
    dd if="$f" of="$pack.tmp" bs=64k oflag=append conv=notrunc,fsync status=none
    echo "${f##*/} $offset $n" >&3
    offset=$((offset + n))
    count=$((count + 1))
done
exec 3>&-

mv "$pack.tmp" "$pack"
mv "$index.tmp" "$index"
echo "$count sprites, $offset bytes"
