#!/bin/sh
# Reads the header line of a table itself and leaves the rows to other tools.
cat table.txt | {
    read -r word columns
    echo "$word: $columns"
    sort -k3,3n -r | {
        read -r _ row value
        echo "largest row $row with $value"
        awk '{ sum += $3 } END { print "others " sum }'
    }
}
