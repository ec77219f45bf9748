mkdir -p out
awk 'BEGIN{split("soup,steak,trout,salad,tart,coffee",d,",");for(i=1;i<=90;i++)printf "%d;%s;%d;%s\n",1+i%12,d[1+(i*7)%6],1+i%4,(i%5==0?"no salt":"")}' > orders.txt
