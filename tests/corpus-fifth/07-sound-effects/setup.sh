mkdir -p fx
awk 'BEGIN{for(i=1;i<=36;i++){f=sprintf("fx/fx%02d.pcm",i);n=900+i*211;for(k=0;k<n;k++)printf "%c",32+(k*i+k)%94 > f;close(f)}}'
