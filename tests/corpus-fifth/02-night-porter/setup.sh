mkdir -p keys/board
awk 'BEGIN{for(i=1;i<=90;i++)printf "%d %s %d\n",100+i%37,(i%3?"in":"out"),i}' > moves.txt
