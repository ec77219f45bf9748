for page in 0 1 2 3 4 5 6 7; do printf "%012000d" 7 > page$page; done
