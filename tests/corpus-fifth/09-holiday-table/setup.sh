awk 'BEGIN{split("ana,bo,cy,dee,ed",w,",");for(i=0;i<160;i++)printf "%s 2024-%02d-%02d %d\n",w[1+i%5],1+(i*3)%12,1+(i*11)%28,4+i%6}' > shifts.txt
