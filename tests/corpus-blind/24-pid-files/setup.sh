#!/bin/sh
set -e
mkdir -p run
i=0; while [ $i -lt 120 ]; do echo $((4000+i)) > run/d$i.pid; i=$((i+1)); done
