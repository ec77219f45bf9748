printf '; prices of the season, in euro\n[day]\nadult = 48\nchild = 26\nsenior = 41\n[factor]\n1 = 1.0\n2 = 1.9\n3 = 2.7\n6 = 4.8\n' > prices.ini
awk 'BEGIN{split("adult,child,senior",w,",");split("1,2,3,6",d,",");for(i=0;i<100;i++)printf "%s,%d,%d\n",w[1+i%3],d[1+(i*5)%4],1+(i*7)%5}' > sales.csv
