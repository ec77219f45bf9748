mkdir -p media
awk 'BEGIN{split("webm,mp4,ogg,mp3,pdf",e,",");for(i=1;i<=42;i++){if(i%11==0)continue;f=sprintf("media/lesson-%02d.%s",i,e[1+(i*3)%5]);print "media of lesson " i > f;close(f)}}'
