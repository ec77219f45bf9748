for number in 1 2 3; do echo "secret $number" > "key$number"; done
