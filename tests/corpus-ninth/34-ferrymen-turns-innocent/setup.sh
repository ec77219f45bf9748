mkdir -p /tmp/ninth-b && chmod 1777 /tmp/ninth-b
rm -f /tmp/ninth-b/landing-*.lock
awk 'BEGIN { for (i = 0; i < 28; i++) print "pier" i * 7 % 20, "ferryman" i }' > landings.txt
