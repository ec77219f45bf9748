mkdir -p carols
awk 'BEGIN{for(i=1;i<=40;i++){f=sprintf("carols/c%02d.txt",i);printf "title: Carol %d\nkey: %c\n",i,65+i%7 > f;for(k=0;k<200+i*8;k++)printf "verse line %d, sung by all voices in the choir stalls\n",k > f;close(f)}}'
