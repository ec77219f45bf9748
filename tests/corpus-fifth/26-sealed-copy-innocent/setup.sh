mkdir -p evidence
awk 'BEGIN{s="";for(k=0;k<1024;k++)s=s sprintf("%c",65+(k*7)%26);for(i=1;i<=14;i++){f=sprintf("evidence/e%02d.img",i);for(k=0;k<60+i*9;k++)printf "%s",s > f;close(f)}}'
