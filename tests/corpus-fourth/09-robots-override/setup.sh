mkdir overrides
echo 'delay=9' > overrides/slow.example.ini
i=0; while [ $i -lt 250 ]; do echo "http://host$((i % 5)).example/page/$i"; i=$((i+1)); done > frontier.txt
