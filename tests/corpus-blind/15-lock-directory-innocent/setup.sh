#!/bin/sh
set -e
echo 0 > counter
