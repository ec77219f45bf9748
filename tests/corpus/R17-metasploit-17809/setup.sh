for number in $(seq 8); do mkdir -p path/$number; done
for number in $(seq 12); do echo x > path/8/m$number; echo x > path/2/n$number; done
