#!/bin/sh
set -e
mkdir -p conf.d
i=0; while [ $i -lt 150 ]; do
printf 'host = mx%d.example.net\nport = %d\nquota = %d\n' $i $((2500+i)) $((i*10)) > conf.d/cust-$i.ini; i=$((i+1)); done
seq 0 159 > customers.txt
