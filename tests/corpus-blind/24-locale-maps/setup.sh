#!/bin/sh
set -e
mkdir -p locale
i=0; while [ $i -lt 100 ]; do printf 'greeting=hello %d\nbye=so long %d\n' $i $i > locale/l$i.msg; i=$((i+1)); done
