#!/bin/sh
set -e
printf 'Dear $name,\n\nyour balance is $balance.\n\nYours\nThe bank\n' > letter.txt
i=0; while [ $i -lt 200 ]; do echo "client $i;$((i*17%900))"; i=$((i+1)); done > clients.csv
