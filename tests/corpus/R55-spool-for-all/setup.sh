mkdir spool
chmod 1777 spool
for number in 1 2 3; do echo "job $number" > "spool/$number"; done
