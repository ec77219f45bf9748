awk 'BEGIN { for (i = 0; i < 96; i++) printf "parrot%02d said word%d\n", i % 24, i * 7 % 31 }' > heard.txt
