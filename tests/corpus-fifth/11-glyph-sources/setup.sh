mkdir -p glyphs
awk 'BEGIN{split("svg,eps,fig,pbm",e,",");for(i=0;i<52;i++){if(i%17==5)continue;f=sprintf("glyphs/u%04x.%s",65+i,e[1+(i*i)%4]);for(k=0;k<=i%5;k++)print "path " k > f;close(f)}}'
