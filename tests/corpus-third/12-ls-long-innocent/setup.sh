mkdir docs docs/sub
i=1; while [ $i -le 40 ]; do printf "%0$((i*7))d" 0 > docs/d$i.txt; i=$((i+1)); done
ln -s d1.txt docs/link; touch -h -d '2024-05-06 UTC' docs/*; chmod 640 docs/d3.txt
