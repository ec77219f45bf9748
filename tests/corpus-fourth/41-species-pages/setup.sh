mkdir photos
i=0; while [ $i -lt 150 ]; do echo x > photos/sp$((i % 50))_$i.jpg; i=$((i+1)); done
