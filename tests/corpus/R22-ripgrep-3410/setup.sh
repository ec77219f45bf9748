for number in $(seq 20); do mkdir -p tree/$number; touch tree/$number/a tree/$number/b; done
