mkdir blobs
for i in boot kernel root data; do head -c 200000 /dev/zero | tr '\0' 'k' > blobs/$i; done
