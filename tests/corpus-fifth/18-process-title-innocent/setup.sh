awk 'BEGIN{for(i=1;i<=48;i++)printf "ward%d;%d;%d\n",1+i%6,i*3,20+i%50}' > beds.csv
