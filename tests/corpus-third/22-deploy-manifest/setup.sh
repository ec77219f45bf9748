mkdir dist
for i in $(seq 1 24); do head -c 9000 /dev/zero | tr '\0' 'a' > dist/chunk$i.js; echo "// $i" >> dist/chunk$i.js; done
