#!/bin/sh
set -e
head -c 819200 /dev/zero | tr '\0' 'q' > backup.img
