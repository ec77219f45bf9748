mkdir -p own parish diocese old
awk 'BEGIN{split("own,parish,diocese,old",d,",");for(i=1;i<=48;i++){n=sprintf("hymn%03d",i*3);print n > "sunday.txt";if(i%13==0)continue;x=(i%5==0)?1:(i%3==0)?2:(i%2==0)?3:4;f=d[x] "/" n ".abc";printf "X:%d\nT:Hymn %d\nK:%s\n",i,i*3,(i%2?"G":"D") > f;close(f);if(i%4==0){f="old/" n ".abc";printf "X:%d\nT:Old %d\nK:C\n",i,i*3 > f;close(f)}}}'
