#!/bin/sh
set -e
head -c 1048576 /dev/zero | tr '\0' 'v' > volume.img
