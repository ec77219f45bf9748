for page in 1 2 3 4 5 6; do seq 1 5000 > page$page; done
