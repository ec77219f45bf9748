#!/bin/sh
# The three most frequent words, and some filler for the test page.
set -e

top() {
    sort -k2,2nr freq.txt | head -n "$1"
}

filler() {
    yes 'lorem ipsum dolor' | head -n "$1"
}

top 3 > top.txt
{
    echo '<ul>'
    sed 's|\(.*\) \(.*\)|<li>\1 (\2)|' top.txt
    echo '</ul>'
    filler 5
} > page.html

lines=$(wc -l < page.html)
echo "page has $lines lines"
head -n 2 page.html | tail -n 1
