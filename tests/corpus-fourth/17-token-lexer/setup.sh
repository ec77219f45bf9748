for i in $(seq 1 150); do echo "allow user$i from 10.0.$((i % 256)).0/24 port $((i + 1000));"; done > policy.rules
