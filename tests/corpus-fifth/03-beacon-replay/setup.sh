awk 'BEGIN{for(i=0;i<420;i++)printf "%06d;%03d;%+04d;%-13s\n",i*15,(i*37)%360,(i*11)%90-45,"BCN" (i%17)}' > beacons.rec
printf '000999;truncat' >> beacons.rec
