#!/bin/sh
set -e
mkdir -p patches
i=0; while [ $i -lt 100 ]; do printf -- '--- a/f%d\n+++ b/f%d\n@@ -1 +1 @@\n-old %d\n+new %d\n' $i $i $i $i > patches/$i.diff; i=$((i+1)); done
