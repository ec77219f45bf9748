awk 'BEGIN { split("x..x Xx.x x.x. X..x xxx. X.x.", p, " ")
  for (d = 0; d < 28; d++) for (k = 0; k < 2 + d % 5 / 2; k++) print "bransle" d, p[(d + k) % 6 + 1] }' > dances.txt
