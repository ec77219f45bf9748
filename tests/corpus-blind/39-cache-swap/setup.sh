#!/bin/sh
set -e
mkdir -p index
echo old > index/main.idx
