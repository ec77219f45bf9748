mkdir live
for i in 1 2 3 4 5 6; do head -c 500000 /dev/zero | tr '\0' "$i" > live/table$i.db; done
