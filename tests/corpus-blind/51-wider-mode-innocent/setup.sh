#!/bin/sh
set -e
mkdir -p share
