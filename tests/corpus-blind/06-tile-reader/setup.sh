#!/bin/sh
set -e
head -c 655360 /dev/zero | tr '\0' 'm' > map.tiles
