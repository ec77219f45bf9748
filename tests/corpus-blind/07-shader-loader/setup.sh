#!/bin/sh
set -e
mkdir -p shaders
i=0; while [ $i -lt 80 ]; do printf '#version 330\nuniform vec4 u%d;\nvoid main() { }\n' $i > shaders/$i.glsl; i=$((i+1)); done
