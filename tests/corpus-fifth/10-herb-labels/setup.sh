mkdir -p texts/garden texts/region texts/common texts/latin
awk 'BEGIN{split("garden,region,common,latin",d,",");for(i=1;i<=45;i++){n="herb" i;print n > "labels.txt";if(i%14==0)continue;x=(i%9==0)?1:(i%4==0)?2:(i%3==0)?3:4;f="texts/" d[x] "/" n ".txt";printf "Herb %d of the %s list\nsun and water\n",i,d[x] > f;close(f);if(x<4&&i%2){f="texts/latin/" n ".txt";print "Herba " i > f;close(f)}}}'
