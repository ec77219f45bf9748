#!/bin/sh
set -e
mkdir -p inc/local inc/site inc/arch inc/compat inc/gen inc/base
i=0; while [ $i -lt 60 ]; do printf '#define M%d %d\n' $i $i > inc/base/m$i.h; i=$((i+1)); done
