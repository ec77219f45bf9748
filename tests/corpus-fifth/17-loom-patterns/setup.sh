awk 'BEGIN{printf "LOOM";for(i=0;i<700;i++)printf "%c%c%c%c%c%c%c%c",65+i%26,1+(i*3)%100,1+(i*7)%100,1+(i*11)%100,1+i%90,1+i%31,48+i%10,10}' > jacquard.lp
