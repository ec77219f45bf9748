mkdir drop; chmod 1777 drop
for i in 1 2 3 4 5; do echo "order $i amount $((i*10))" > drop/order$i.txt; done
ln -s /etc/passwd drop/order6.txt
