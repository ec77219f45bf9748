mkdir photos
i=0; while [ $i -lt 75 ]; do echo "photo $i" > photos/$i.jpg; i=$((i+1)); done
