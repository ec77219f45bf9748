#!/bin/sh
# Builds a word index; says whether it replaces an old one.
if [ -f index.old ]; then
    echo "replacing the old index"
else
    echo "building the first index"
fi
cat texts/* | tr ' ' '\n' | sort | uniq -c | sort -rn > index.new
rm -f index.old
echo "$(wc -l < index.new) words"
