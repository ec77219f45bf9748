cat > fares.conf <<'X'
# fares of the island ferry, in cents
ADULT=1150
CHILD=520
CAR=3400
BIKE=300
WINTER_DISCOUNT=15
X
awk 'BEGIN{for(i=0;i<120;i++)printf "%d %d %d %d %s\n",1+i%4,i%3,i%2,(i*7)%3,(i%5?"summer":"winter")}' > bookings.txt
