awk 'BEGIN{for(i=0;i<300;i++){h=sprintf("bell%03d",i);printf "%s",h;for(k=0;k<2041;k++)printf "%c",33+(k*(i%11+1))%90}}' > bells.bank
awk 'BEGIN{for(i=0;i<120;i++)print (i*167)%300}' > melody.txt
