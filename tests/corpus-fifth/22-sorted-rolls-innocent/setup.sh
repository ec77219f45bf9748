mkdir -p rolls
awk 'BEGIN{for(c=1;c<=14;c++){f=sprintf("rolls/parish%02d.txt",c);for(i=0;i<300;i++)printf "%05d %s family %d\n",(i*(c%3==0?1:7919))%30000,"baptised",i > f;close(f)}}'
