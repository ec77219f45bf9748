#!/bin/sh
# Writes a table of commands with the directories they are found in.
find_tool() {
    for dir in tools/a tools/b tools/c tools/d tools/e; do
        if [ -x "$dir/$1" ]; then
            found=$dir
            return 0
        fi
    done
    return 1
}
i=0
missing=0
: > table.txt
while [ $i -lt 52 ]; do
    if find_tool "c$i"; then
        table="$table$i:$found "
    else
        missing=$((missing + 1))
    fi
    i=$((i + 1))
done
echo "$table" > table.txt
set -- $table
echo "found $#, missing $missing, first $1"
