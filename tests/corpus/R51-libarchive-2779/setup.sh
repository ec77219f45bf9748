mkdir parts
for number in $(seq 30); do printf 'torn' > "parts/$number"; done
