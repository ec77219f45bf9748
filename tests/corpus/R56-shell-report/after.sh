# Makes a report in two files below /tmp, whose names mktemp draws.
report=$(mktemp /tmp/fathom-corpus-XXXXXXXX)
totals=$(mktemp /tmp/fathom-corpus-XXXXXXXX)
trap 'rm -f "$report" "$totals"' EXIT
echo 'one two three' > "$report"
echo 3 > "$totals"
read -r words < "$report"
echo "reported: $words"
