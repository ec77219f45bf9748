#!/bin/sh
set -e
mkdir -p dumps
