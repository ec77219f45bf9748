#!/bin/sh
set -e
i=0; while [ $i -lt 500 ]; do printf 'word%d ' $((i%77)); i=$((i+1)); done > doc.txt
