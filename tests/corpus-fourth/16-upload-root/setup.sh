mkdir -p srv/data/upload
i=0; while [ $i -lt 60 ]; do echo "upload $i" > srv/data/upload/file$i.txt; i=$((i+1)); done
ln -s /etc/hostname srv/data/upload/escape1
ln -s ../private srv/data/upload/escape2
