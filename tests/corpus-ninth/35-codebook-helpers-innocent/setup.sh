mkdir -p messages
awk 'BEGIN { for (i = 0; i < 26; i++) print 100 + i * 7, sprintf("%c", 97 + i) }' > book.txt
for m in 1 2 3 4 5 6 7 8 9 10; do
  awk -v m=$m 'BEGIN { for (k = 0; k < 12; k++) printf "%d ", 100 + 7 * ((k * m) % 28); print "" }' > messages/m$m.msg
done
