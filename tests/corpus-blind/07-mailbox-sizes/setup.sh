#!/bin/sh
set -e
mkdir -p mail
i=0; while [ $i -lt 90 ]; do printf 'From user%d\n\nhello %d\n' $i $i > mail/u$i.mbox; i=$((i+1)); done
