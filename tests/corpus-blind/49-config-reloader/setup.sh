#!/bin/sh
set -e
mkdir -p watch
echo 'level=1' > watch/app.conf
touch -d 2020-01-01 watch/app.conf
