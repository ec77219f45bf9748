#!/bin/sh
set -e
i=0; while [ $i -lt 120 ]; do printf 'From user%d\nSubject: s%d\n\n' $((i%9)) $i; printf '%600s\n\n' text; i=$((i+1)); done > big.mbox
