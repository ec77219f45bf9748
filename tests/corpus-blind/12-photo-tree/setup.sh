#!/bin/sh
set -e
for y in 2019 2020 2021 2022; do mkdir -p photos/$y/raw; i=0; while [ $i -lt 48 ]; do : > photos/$y/img$i.jpg; i=$((i+1)); done; : > photos/$y/raw/one.dng; done
