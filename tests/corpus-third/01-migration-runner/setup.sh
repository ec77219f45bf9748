mkdir -p db/migrations
for i in $(seq 1 60); do echo "CREATE TABLE t$i (id int);" > db/migrations/$(printf %04d $i).up.sql; [ $((i%2)) = 0 ] && echo "DROP TABLE t$i;" > db/migrations/$(printf %04d $i).down.sql; done
exit 0
