mkdir -p ricks
rm -f ricks/*
i=1
while [ $i -le 40 ]; do printf "%0$((i * 9))d\n" $i > ricks/r$i; i=$((i + 1)); done
cd ricks
for i in 1 3 5 7 9; do j=$((i + 10)); k=$((i + 20)); l=$((i + 30)); ln r$i a$i; ln r$j a$j; ln r$k a$k; ln r$l a$l; done
