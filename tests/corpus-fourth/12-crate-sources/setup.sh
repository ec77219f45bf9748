mkdir -p project
for c in core net ui cli; do mkdir -p project/$c/src/util; for i in $(seq 1 30); do echo "fn f$i() {}" > project/$c/src/m$i.rs; done
  for i in 1 2 3 4 5 6 7; do echo "// $i" > project/$c/src/util/u$i.rs; done; done
