# Makes a report in two files below /tmp, whose names everybody knows.
trap 'rm -f /tmp/fathom-corpus-report /tmp/fathom-corpus-totals' EXIT
echo 'one two three' > /tmp/fathom-corpus-report
echo 3 > /tmp/fathom-corpus-totals
read -r words < /tmp/fathom-corpus-report
echo "reported: $words"
