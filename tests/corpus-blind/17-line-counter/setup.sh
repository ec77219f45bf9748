#!/bin/sh
set -e
i=0; while [ $i -lt 200 ]; do echo "10.0.0.$((i%250)) GET /p/$i 200"; i=$((i+1)); done > access.log
