awk 'BEGIN{for(i=0;i<500;i++){if(i%23==0)printf "== Chapter %d\n",i/23+1;else printf "line %d of the text, with some words of no importance %d\n",i,i*i}}' > manual.txt
