head -c 50000 /dev/zero | tr '\0' 'c' > card.img
