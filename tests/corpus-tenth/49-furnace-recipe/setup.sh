rm -rf out; mkdir out
printf 'iron 60\ncoke 25\nlime 10\nmanganese 5\n' > charge.txt
