mkdir lib
for number in $(seq 12); do echo "x" > lib/f$number.rb; done
