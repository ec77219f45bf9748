awk 'BEGIN { printf "{"; for (i = 0; i < 60; i++) printf "%s\"plot%d\":{\"owner\":\"member%d\",\"owes\":%d}", (i ? "," : ""), i, i * 7 % 50, i * 11 % 40; print "}" }' > ledger.json
awk 'BEGIN { for (i = 0; i < 25; i++) print "plot" i * 13 % 60, 1 + i * 3 % 9 }' > payments.txt
