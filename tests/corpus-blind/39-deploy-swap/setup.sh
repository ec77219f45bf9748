#!/bin/sh
set -e
mkdir -p live
for n in 1 2 3; do echo "version=1 app=$n" > live/app-$n.conf; done
