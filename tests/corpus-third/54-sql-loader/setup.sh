i=1; while [ $i -le 600 ]; do echo "$i,item$i,$((i*13%997))"; i=$((i+1)); done > items.csv
