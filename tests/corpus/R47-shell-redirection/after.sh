# Three changes of a table, each printed beside it and put in its place.
for host in 7 11 23; do
    table=$(sed "s/^$host\$/host $host/" hosts.conf)
    printf '%s\n' "$table" > hosts.conf.new
    sync hosts.conf.new && mv hosts.conf.new hosts.conf && sync .
done
echo changed 3
