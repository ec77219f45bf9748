#!/bin/sh
set -e
mkdir -p templates
printf '<li id="{id}">{name}</li>\n' > templates/row.tpl
i=0; while [ $i -lt 300 ]; do echo "$i,item number $i"; i=$((i+1)); done > items.csv
