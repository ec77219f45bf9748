mkdir -p letters
awk 'BEGIN{for(i=1;i<=64;i++){f=sprintf("letters/%04d.txt",1700+i);printf "From: %s\nYear: %d\n\nMost honoured friend, yours of the %dth came to hand.\n","Writer" i%7,1700+i,1+i%28 > f;close(f)}}'
