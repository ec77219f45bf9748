for d in img css js fonts; do mkdir -p assets/$d; for i in $(seq 1 24); do echo "$d" > assets/$d/f$i.$d; done; done
