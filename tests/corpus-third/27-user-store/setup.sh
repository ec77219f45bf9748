mkdir db
for i in 1 2 3 4 5 6 7 8; do printf 'user%s\t100%s\n' $i $i; done > db/users.tsv
