awk 'BEGIN { for (i = 0; i < 90; i++) print (i % 2 ? "sheet" i % 5 : "sheet" i % 5 "/../sheet" i % 3), "cairn" i * 7 % 23, 1 + (i * 13 % 31) / 10 }' > walks.txt
