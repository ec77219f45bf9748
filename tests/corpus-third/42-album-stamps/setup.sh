for i in $(seq 1 50); do mkdir -p music/album$i; echo "$((1970+i))" > music/album$i/year; done
