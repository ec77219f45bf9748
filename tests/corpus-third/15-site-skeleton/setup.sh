i=1; while [ $i -le 40 ]; do echo "host$((i%4))/page$i.html"; i=$((i+1)); done > pages.lst
