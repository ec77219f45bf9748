mkdir attachments
for i in $(seq 1 110); do head -c $((i * 90)) /dev/zero | tr '\0' 'A' > attachments/part$i.bin; done
