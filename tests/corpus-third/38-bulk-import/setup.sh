for i in $(seq 1 60); do echo "row $i value $((i*31%97))"; done > batch.txt
echo "table v1;" > table.dat
