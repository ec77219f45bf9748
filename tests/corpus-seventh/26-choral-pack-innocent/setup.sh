awk 'BEGIN { for (i = 0; i < 9000; i++) printf "bar %d soprano %d alto %d tenor %d bass %d\n", i, i * 7 % 12, i * 5 % 12, i * 11 % 12, i % 12 }' > chorale.txt
