mkdir book
for i in $(seq 1 12); do printf "= Chapter $i\n" > book/$(printf %02d $i)-part$i.adoc; for j in $(seq 1 7); do echo "see <<part$(( (i*j)%12+1 ))>>"; done >> book/$(printf %02d $i)-part$i.adoc; done
