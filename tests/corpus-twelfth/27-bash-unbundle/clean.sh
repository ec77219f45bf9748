#!/bin/bash
# Unpacks a firmware bundle: the index gives offset, size and name of each member.
set -euo pipefail
cd "$(dirname "$0")"

bundle=bundle.bin
index=bundle.idx
out=out

die() {
    echo "unbundle: $*" >&2
    exit 1
}

check_magic() {
    local magic
    magic=$(head -c 7 "$bundle")
    [ "$magic" = BUNDLE1 ] || die "$bundle is not a bundle"
}

# extract OFFSET SIZE NAME
extract() {
    dd if="$bundle" of="$out/$3" bs=64K iflag=skip_bytes,count_bytes skip="$1" count="$2" status=none
}

check_magic
mkdir -p "$out"
members=0
total=0
while read -r offset size name; do
    case $name in
        */*|.*) die "bad member name: $name" ;;
    esac
    extract "$offset" "$size" "$name"
    members=$((members + 1))
    total=$((total + size))
done < "$index"

( cd "$out" && md5sum -- * )
echo "$members members, $total bytes"
