mkdir modules
for number in $(seq 200); do echo x > modules/$number; done
