mkdir backup
head -c 400000 /dev/zero | tr '\0' 'q' > volume.img
