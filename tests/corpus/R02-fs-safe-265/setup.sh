for number in $(seq 80); do mkdir -p tree/$number; done
