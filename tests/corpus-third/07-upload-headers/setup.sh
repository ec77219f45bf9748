mkdir spool
for i in $(seq 1 60); do printf "MAGIC%03d%0$((i*9))d" $i 0 > spool/up$i.bin; done
