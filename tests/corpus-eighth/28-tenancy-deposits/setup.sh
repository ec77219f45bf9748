awk 'BEGIN { printf "{"; for (i = 1; i <= 40; i++) printf "%s\"flat%d\": {\"tenant\": \"T%d\", \"cents\": %d}", (i > 1 ? ", " : ""), i, i * 3, (i * 71) % 90 * 1000 + 50000; print "}" }' > deposits.json
printf 'flat3 interest\nflat8 leave\nflat31 interest\n' > events.txt
rm -f deposits.json.new
