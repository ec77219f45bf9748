mkdir -p app/src/lib
for number in $(seq 12); do echo x > app/src/lib/$number; done
