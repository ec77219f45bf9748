#!/bin/sh
set -e
mkdir -p queue
i=100; while [ $i -lt 250 ]; do printf 'to=user%d\nbody=hello %d\n' $((i%20)) $i > queue/m$i.msg; i=$((i+1)); done
