mkdir spool
for i in $(seq 1 45); do echo "printer=lp$((i % 4)) pages=$i" > spool/job$i; done
