mkdir -p master
awk 'BEGIN{s="";for(k=0;k<1024;k++)s=s sprintf("%c",65+k%26);for(i=1;i<=16;i++){f=sprintf("master/clip%02d.bin",i);for(k=0;k<120+i*12;k++)printf "%s",s > f;close(f)}}'
