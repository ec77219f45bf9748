for page in 1 2 3 4 5 6; do echo "$page words" > page$page; done
