mkdir -p verses
awk 'BEGIN{for(i=1;i<=22;i++){f=sprintf("verses/v%02d.txt",i);for(k=0;k<30+i*20;k++)printf "line %d of hymn %d, sung in %d parts\n",k,i,2+k%3 > f;close(f)}}'
