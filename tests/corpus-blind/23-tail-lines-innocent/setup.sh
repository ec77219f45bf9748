#!/bin/sh
set -e
awk 'BEGIN { for (i = 0; i < 40000; i++) printf "%06d message of the system\n", i }' > huge.log
