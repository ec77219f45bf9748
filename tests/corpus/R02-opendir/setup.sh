for number in $(seq 70); do mkdir -p tree/$number; done
