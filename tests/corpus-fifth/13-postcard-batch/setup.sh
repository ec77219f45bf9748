mkdir -p inbox
awk 'BEGIN{for(i=1;i<=70;i++){f=sprintf("inbox/card%03d.json",i);printf "{\"to\":\"%s\",\"country\":\"%s\",\"text\":\"Greetings no %d\"}\n","Guest " i,(i%3?"IS":"FO"),i > f;close(f)}}'
