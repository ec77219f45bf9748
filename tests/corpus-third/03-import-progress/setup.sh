for i in $(seq 1 300); do echo "$i,name$i,$((i%90))"; done > people.csv
