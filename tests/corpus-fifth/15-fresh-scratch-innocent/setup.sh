awk 'BEGIN{for(i=1;i<=36;i++)printf "page %d %d\n",i,3+i%4}' > pages.txt
