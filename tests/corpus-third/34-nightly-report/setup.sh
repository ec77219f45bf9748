for i in $(seq 1 90); do echo "10.0.0.$((i%9)) GET /p$((i%5))"; done > access.log
