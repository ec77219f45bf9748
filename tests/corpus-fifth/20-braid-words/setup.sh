mkdir -p braids
awk 'BEGIN{for(i=1;i<=20;i++){f=sprintf("braids/b%02d.txt",i);for(k=0;k<1500+i*450;k++)printf "s%d%s ",1+(k*k+i)%9,(k%2?"":"^-1") > f;close(f)}}'
