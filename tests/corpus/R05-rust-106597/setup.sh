for number in $(seq 2000); do echo "some words in line $number, and some more of them"; done > text
