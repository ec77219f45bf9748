i=0
while [ $i -lt 6 ]; do printf '%s%8192s' "page $i edition 1994 " '' | head -c 8192; i=$((i + 1)); done > chart.pages
: > chart.twice
i=1
while [ $i -le 9 ]; do echo "$((i * 5 % 6)) buoy$i moved $((i * 13 % 60)) m"; i=$((i + 1)); done > notices.txt
