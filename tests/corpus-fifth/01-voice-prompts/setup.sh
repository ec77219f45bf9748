mkdir -p prompts
awk 'BEGIN{for(i=1;i<=48;i++){f=sprintf("prompts/p%02d.ulaw",i);n=300+i*37;for(k=0;k<n;k++)printf "%c",33+(k*i+k)%90 > f;close(f);print sprintf("p%02d",i) > "playlist.txt"}}'
