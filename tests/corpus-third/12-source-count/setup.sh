for d in a b c d e; do mkdir -p proj/$d/sub; for i in $(seq 1 12); do echo x > proj/$d/f$i.py; echo y > proj/$d/sub/g$i.c; done; done
