mkdir -p tones
awk 'BEGIN{for(i=1;i<=60;i++){f=sprintf("tones/tone-%02d.rtx",i);printf "RTX1%-16s%03d\n","Melody " i,100+i > f;n=40+i*11;for(k=0;k<n;k++)printf "%c",97+(k*i)%26 > f;close(f)}}'
