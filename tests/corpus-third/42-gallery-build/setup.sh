for i in $(seq 1 40); do mkdir -p albums/a$i; echo p > albums/a$i/1.jpg; echo q > albums/a$i/2.jpg; done
