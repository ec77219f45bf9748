mkdir pool
for i in $(seq 1 40); do printf "Package: lib$i\nVersion: 1.$i\n\n" > pool/lib$i.pkg; head -c 20000 /dev/zero | tr '\0' 'z' >> pool/lib$i.pkg; done
