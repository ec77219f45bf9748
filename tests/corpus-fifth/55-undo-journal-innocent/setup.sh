mkdir -p silo
seq 1 20000 > silo/levels.db
