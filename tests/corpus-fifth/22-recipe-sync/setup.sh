mkdir -p recipes
awk 'BEGIN{for(i=1;i<=40;i++){f=sprintf("recipes/r%03d.md",i);printf "# Recipe %d\nserves: %d\n\n",i,2+i%5 > f;for(k=0;k<20+i*9;k++)printf "- %d g of ingredient %d, stirred well and left alone\n",k*5,k > f;close(f)}}'
md5sum recipes/*.md | awk '{h=$1; if (NR%4==0) h="0000" substr(h,5); print h "  " $2}' > manifest.md5
