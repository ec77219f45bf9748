mkdir -p tunes
awk 'BEGIN{split("C,D,E,F,G,A",n,",");for(i=1;i<=60;i++){f=sprintf("tunes/t%02d.chm",i);printf "CHM tempo=%d notes=",60+i > f;for(k=0;k<8+i%16;k++)printf "%s",n[1+(k*i)%6] > f;close(f)}}'
