seq 1 40000 | head -c 204800 > backup.tap
