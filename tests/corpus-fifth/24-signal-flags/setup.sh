mkdir -p flags
awk 'BEGIN{for(i=0;i<26;i++)for(v=0;v<2;v++){f=sprintf("flags/%c%d.flag",65+i,v);printf "letter %c\ncolours %s\nmeaning \"%s %d\"\n",65+i,(i%3?"red,white":"blue,yellow,red"),(v?"harbour":"sea"),i > f;close(f)}}'
