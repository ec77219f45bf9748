mkdir slot
for p in boot kernel radio; do seq 1 200 > slot/$p.img; seq 2 222 > slot/$p.img.new; done
