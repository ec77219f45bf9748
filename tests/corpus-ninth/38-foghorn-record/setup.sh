awk 'BEGIN { split("Ewan Moira Angus", k, " ")
  for (i = 0; i < 15; i++) print 40000 + i * 90, 1500 + i % 4 * 500, (i * 173) % 1300, k[i % 3 + 1] }' > watch.txt
: > foghorn.rec
