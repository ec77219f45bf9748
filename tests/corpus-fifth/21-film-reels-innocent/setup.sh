awk 'BEGIN{for(i=0;i<12;i++){for(k=0;k<3072;k++)printf "frame %02d/%05d   \n",i,k}}' > reels.dat
printf '7\n2\n11\n0\n5\n9\n' > programme.txt
