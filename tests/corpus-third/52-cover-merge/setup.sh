i=1; while [ $i -le 200 ]; do echo "pkg/m$((i%20)).py:$((i%50)):$((i%3))"; i=$((i+1)); done > cov.txt
