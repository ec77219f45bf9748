mkdir exchange; chmod 1777 exchange
i=0; while [ $i -lt 15 ]; do echo "$((i * 7))" > exchange/r$i.res; i=$((i+1)); done
ln -s /etc/hostname exchange/r15.res
