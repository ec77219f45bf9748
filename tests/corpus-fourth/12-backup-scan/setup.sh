mkdir home
for u in $(seq 1 15); do mkdir home/user$u; for f in $(seq 1 19); do echo $f > home/user$u/doc$f; done; done
