#!/bin/sh
set -e
mkdir -p zones
for n in 0 1 2 3; do echo "serial 1" > zones/$n.zone; done
