for d in a b c d e f; do mkdir -p tree/$d; for i in 1 2 3 4 5 6 7 8 9 10; do echo "$d$i content" > tree/$d/f$i; done; done
(cd tree && for d in a b c d e f; do for i in 1 2 3 4 5 6 7 8 9 10; do echo "$d/f$i"; done; done) > MANIFEST
