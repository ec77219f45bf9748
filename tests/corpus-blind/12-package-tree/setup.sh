#!/bin/sh
set -e
i=0; while [ $i -lt 30 ]; do mkdir -p modules/p$i/lib; echo "v$i" > modules/p$i/VERSION; : > modules/p$i/lib/a.so; : > modules/p$i/lib/b.so; : > modules/p$i/README; i=$((i+1)); done
