#!/bin/sh
set -e
mkdir -p archive
