awk 'BEGIN{for(i=0;i<250;i++){n=20+(i*53)%180;printf "%04d",n;for(k=0;k<n;k++)printf "%c",65+(k+i)%26}}' > parcels.dat
