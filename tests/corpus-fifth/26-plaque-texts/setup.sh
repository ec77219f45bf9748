mkdir -p plaques
awk 'BEGIN{s="";for(k=0;k<512;k++)s=s "The builder of this house is not known. ";for(i=1;i<=18;i++){f=sprintf("plaques/no%02d.txt",i);for(k=0;k<2+i%5;k++)printf "%s",s > f;close(f)}}'
