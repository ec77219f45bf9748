rm -f tickets.log gate1.idx gate2.idx
