seq 100000 999999 | head -c 196608 > echoes.raw
