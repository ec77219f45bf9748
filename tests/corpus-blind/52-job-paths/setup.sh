#!/bin/sh
set -e
mkdir -p jobs
i=0; while [ $i -lt 200 ]; do echo "jobs/j$i.cmd $i"; i=$((i+1)); done > jobs/list
