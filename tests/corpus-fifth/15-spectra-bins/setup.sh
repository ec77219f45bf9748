awk 'BEGIN{split("Fe,Ni,Co,Cu",e,",");for(i=1;i<=150;i++)printf "%s %d %d %d\n",e[1+i%4],400+(i*37)%400,(i*101)%997,i}' > spectra.txt
