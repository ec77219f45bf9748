mkdir -p site/inc/parts
for i in $(seq 1 60); do echo "part $i" > site/inc/parts/$i.inc; done
