#!/bin/sh
set -e
mkdir -p parts
i=0; while [ $i -lt 60 ]; do echo $((i*3)) > parts/$i; i=$((i+1)); done
