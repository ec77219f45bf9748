i=1; while [ $i -le 30 ]; do echo "10.$i.0.0/16 via 192.168.0.$((i % 4 + 1))"; i=$((i+1)); done > routes.conf
