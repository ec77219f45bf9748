awk 'BEGIN{for(i=0;i<800;i++){printf "%08d%06d%-49s\n",(i*12347)%99999999,i*3,"goods of heading " i}}' | sort > tariff.db
awk 'BEGIN{for(i=0;i<40;i++)printf "%08d\n",(((i*19)%800)*12347)%99999999}' > goods.txt
