#!/bin/sh
set -e
head -c 2097152 /dev/zero > video.raw
