for i in $(seq 1 60); do echo ">seq$i"; for j in 1 2 3; do echo "ACGTACGTTTGACCA$i$j" | tr 0-9 ACGTACGTAC; done; done > genome.fa
