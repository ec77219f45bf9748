mkdir -p coupons
awk 'BEGIN{for(i=1;i<=66;i++){f=sprintf("coupons/c%04d.cpn",i*7);printf "code=C%04d\npercent=%d\nuses=%d\n",i*7,5+i%30,i%4 > f;close(f)}}'
echo keep > coupons/README
