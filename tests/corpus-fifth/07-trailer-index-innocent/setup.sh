mkdir -p packs
awk 'BEGIN{for(i=1;i<=30;i++){f=sprintf("packs/p%02d.pack",i);n=6000+i*613;for(k=0;k<n;k+=10)printf "%s","data-block" > f;m=3+i%5;idx=0;while(k<n+10)k+=10;for(j=0;j<m;j++)printf "entry-%02d ",j > f;printf "IDX1%04d%08d",m,i*7 > f;close(f)}}'
