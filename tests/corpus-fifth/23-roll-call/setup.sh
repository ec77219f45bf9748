mkdir -p classes
awk 'BEGIN{for(c=1;c<=6;c++){f=sprintf("classes/class%d.txt",c);for(i=1;i<=32;i++)printf "pupil%02d %s %d\n",i,((i*c)%9?"present":"absent"),(i*c*3)%25 > f;close(f)}}'
