#!/bin/sh
set -e
mkdir -p orders
