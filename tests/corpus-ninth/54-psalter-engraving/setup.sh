rm -rf pages
awk 'BEGIN { for (p = 1; p <= 34; p++) { print p " tone " p * 3 % 8; for (v = 0; v < 3 + p % 5; v++) print "O sing unto the Lord a new song number " v; print "" } }' > psalms.txt
