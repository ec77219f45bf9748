#!/bin/sh
# Counts what the typesetter of a hymnal bills: lines and words of each text.
set -eu

price_line=3
price_word=1

lines_of() {
    wc -l < "$1"
}

words_of() {
    wc -w < "$1"
}

total_lines=0 total_words=0 bill=0
most=0 most_file=
for file in verses/v*.txt; do
    lines=$(lines_of "$file")
    words=$(words_of "$file")
    total_lines=$((total_lines + lines))
    total_words=$((total_words + words))
    sum=$((lines * price_line + words * price_word))
    if [ "$sum" -gt "$most" ]; then
        most=$sum
        most_file=$file
    fi
    bill=$((bill + sum))
done

echo "lines $total_lines"
echo "words $total_words"
echo "bill $bill"
echo "dearest $most_file $most"
