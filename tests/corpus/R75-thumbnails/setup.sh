mkdir thumbs small
for number in 1 2 3 4; do echo > "thumbs/$number.png"; done
for number in $(seq 0 69); do echo > "small/$number.png"; done
