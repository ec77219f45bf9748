mkdir spool
for i in 1 2 3 4 5 6 7 8 9 10; do if [ $((i%2)) = 0 ]; then echo "job $i"; else echo "jnk $i"; fi > spool/$i.job; done
