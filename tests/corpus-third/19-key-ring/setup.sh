mkdir keys
for i in $(seq 1 90); do echo "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5$i user$i" > keys/u$i.pub; done
