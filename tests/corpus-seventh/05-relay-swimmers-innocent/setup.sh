awk 'BEGIN { for (i = 0; i < 90000; i++) printf "%d%s", i * 7919 % 1000, (i * 31 % 17 == 0 ? "#" : " ") }' > lengths.txt
