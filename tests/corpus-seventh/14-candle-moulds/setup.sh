printf 'pillar\t420\ntaper\t75\nvotive\t60\ntealight\t15\nbeeswax\t310\n' > moulds.tsv
awk 'BEGIN { split("pillar taper votive tealight beeswax", m, " "); for (i = 0; i < 60; i++) print m[1 + i * 3 % 5], 1 + i * 11 % 24 }' > orders.txt
