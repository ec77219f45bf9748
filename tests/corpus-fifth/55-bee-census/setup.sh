mkdir -p census
seq 1 9000 > census/hives.tab
