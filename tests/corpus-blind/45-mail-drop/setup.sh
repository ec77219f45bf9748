#!/bin/sh
set -e
mkdir -p box/tmp box/new
