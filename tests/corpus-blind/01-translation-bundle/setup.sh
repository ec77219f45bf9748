#!/bin/sh
set -e
mkdir -p i18n
i=0; while [ $i -lt 100 ]; do printf 'hello=Hallo %d\nbye=Ade %d\n' $i $i > i18n/b$i.properties; i=$((i+1)); done
