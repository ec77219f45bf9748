mkdir pages out
for number in 3 7 11 20 31; do echo page > "pages/$number.html"; done
