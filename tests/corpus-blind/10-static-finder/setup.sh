#!/bin/sh
set -e
for a in 1 2 3 4 5; do mkdir -p app$a/static; done
i=0; while [ $i -lt 80 ]; do echo "body{margin:${i}px}" > app5/static/s$i.css; i=$((i+1)); done
