mkdir archive
for i in $(seq 1 120); do echo "name=user$i&mail=u$i@example.org&age=$((i%80))"; done > posts.txt
