for i in $(seq 1 200); do printf '%08d%024d' $i $((i*i)); done > ledger.dat
