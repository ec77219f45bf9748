awk 'BEGIN{for(i=1;i<=130;i++)printf "%04d;2023-%02d-%02d;%s;%d\n",i,1+(i*5)%7,1+i%28,(i%3?"printer":"network"),i*13%90}' > tickets.csv
