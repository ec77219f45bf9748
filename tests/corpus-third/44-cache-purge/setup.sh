mkdir cache
for i in $(seq 1 2 80); do echo x > cache/p$i.html; done
