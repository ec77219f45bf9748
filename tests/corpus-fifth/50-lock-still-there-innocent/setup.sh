mkdir -p locks
