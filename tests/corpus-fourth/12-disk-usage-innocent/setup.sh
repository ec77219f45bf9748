mkdir -p vault/2023 vault/2024
for i in $(seq 1 40); do head -c $((i * 100)) /dev/zero > vault/2023/r$i; done
for i in $(seq 1 20); do ln vault/2023/r$i vault/2024/r$i; done
