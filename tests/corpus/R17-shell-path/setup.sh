for number in $(seq 7); do mkdir -p path/$number; done
mkdir tools
for number in $(seq 10); do echo "#!/bin/sh" > tools/t$number; chmod +x tools/t$number; done
