awk 'BEGIN{for(i=0;i<80;i++){n=2400+(i*41)%900;printf "PING %d depth=%d len=%d\n",i,20+(i*7)%60,n;for(k=0;k<n;k+=20)printf "%s",substr("echoes-from-the-sea-",1,(n-k<20?n-k:20))}}' > survey.sonar
