awk 'BEGIN { for (i = 0; i < 30; i++) printf "%-31s\n", (i < 5 ? "Miller                    900" : ".") }' > weights.book
awk 'BEGIN { for (i = 0; i < 27; i++) print "farmer" i % 8, 700 + i * 53 % 600 }' > carts.txt
