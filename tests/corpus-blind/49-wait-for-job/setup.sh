#!/bin/sh
set -e
mkdir -p results
