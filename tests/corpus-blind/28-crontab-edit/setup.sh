#!/bin/sh
set -e
i=0; while [ $i -lt 40 ]; do echo "$i 3 * * * job$i"; i=$((i+1)); done > crontab
