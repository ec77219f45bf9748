for d in core util net; do mkdir -p repo/$d/internal; for i in $(seq 1 14); do echo "package $d" > repo/$d/f$i.go; echo "package internal" > repo/$d/internal/g$i.go; done; done
