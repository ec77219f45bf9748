mkdir -p spool/out
for i in $(seq 1 100); do echo "to$i $((i*7%13))"; done > mails.txt
