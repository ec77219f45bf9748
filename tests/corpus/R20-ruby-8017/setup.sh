mkdir -p gems/lib
for number in $(seq 12); do echo x > gems/lib/$number; done
