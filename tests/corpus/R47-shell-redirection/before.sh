# Three changes of a table, each printed over it.
for host in 7 11 23; do
    table=$(sed "s/^$host\$/host $host/" hosts.conf)
    printf '%s\n' "$table" > hosts.conf
done
echo changed 3
