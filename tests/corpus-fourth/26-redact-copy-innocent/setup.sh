mkdir chats public
i=0; while [ $i -lt 12 ]; do j=0; while [ $j -lt 60 ]; do echo "line $j by user$j@mail.example: hello from $i"; j=$((j+1)); done > chats/room$i.txt; i=$((i+1)); done
