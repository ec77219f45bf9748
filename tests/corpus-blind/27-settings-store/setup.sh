#!/bin/sh
set -e
i=0; while [ $i -lt 50 ]; do echo "user$i 100"; i=$((i+1)); done > accounts.db
