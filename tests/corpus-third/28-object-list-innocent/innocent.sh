#!/bin/sh
# Generates headers and make fragments; "make clean" throws them away.
set -e
src=src
out=build

{
    echo '/* generated, do not edit */'
    for h in "$src"/*.h; do
        echo "#include \"../$h\""
    done
} > $out/all.h

n=0
for h in "$src"/*.h; do
    name=${h##*/}
    name=${name%.h}
    cut -d" " -f2 "$h" > "$out/$name.names"
    n=$((n + 1))
done

cat > $out/config.mk <<EOT
HEADERS = $n
PREFIX = /usr/local
EOT

wc -l < $out/all.h
echo "$n name lists"
