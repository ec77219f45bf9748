#!/bin/sh
set -e
mkdir -p keys
