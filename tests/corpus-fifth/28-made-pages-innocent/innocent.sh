#!/bin/sh
# Makes the pages of a boat museum from its text cards; every page can be made again at any time.
set -eu

# page CARD: the HTML of one card on standard output
page() {
    first=1
    while IFS= read -r line; do
        if [ "$first" -eq 1 ]; then
            echo "<h1>$line</h1>"
            title=$line
            first=0
        else
            echo "<p>$line</p>"
        fi
    done < "$1"
}

index='<ul>'
count=0
for card in boat*.txt; do
    name=${card%.txt}
    page "$card" > "site/$name.html"
    IFS= read -r title < "$card"
    index="$index
<li><a href=\"$name.html\">$title</a></li>"
    count=$((count + 1))
done
printf '%s\n</ul>\n' "$index" > site/index.html

echo "$count pages"
lines=0
while IFS= read -r line; do
    lines=$((lines + 1))
done < site/index.html
echo "index of $lines lines"
cat site/boat3.html
