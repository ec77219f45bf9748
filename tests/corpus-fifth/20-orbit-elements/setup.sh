mkdir -p tle
awk 'BEGIN{for(i=1;i<=24;i++){f=sprintf("tle/set%02d.txt",i);for(k=0;k<400+i*30;k++)printf "%05d %03d.%04d %07d %-60s\n",k+i*1000,(k*7)%360,(k*13)%10000,(k*71)%10000000,"element set" > f;close(f)}}'
