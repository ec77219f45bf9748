head -c 65536 /dev/zero | tr '\0' 'o' > tree.idx
