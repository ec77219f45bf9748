mkdir -p out
awk 'BEGIN{for(d=1;d<=30;d++)for(k=0;k<4;k++)printf "%02d %02d:%02d %s %d\n",d,(k*6+d)%24,(d*7+k*11)%60,(k%2?"low":"high"),(k%2?40:380)+(d*13)%60}' > tides.txt
